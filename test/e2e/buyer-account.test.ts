/** The buyer's account information on its page, on a phone. */

import { expect, it } from 'vitest';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import { unsubscribeToken } from '#functions/domain/orders/notification-preferences';
import { createKeyLoader } from '#functions/keys/keys';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import { addLead, press } from '#test/e2e/admin-setup';
import { PHONE, rowOf, setUpShop } from '#test/e2e/buyer-setup';

const shop = setUpShop();

it('shows its share, and why it missed other leads', async () => {
  await shop.at('2027-05-12T07:00:00Z');
  const mine = await shop.order({ buyer_id: 'mine', probability: 50, min_investment: 20_000 });
  await shop.order({ buyer_id: 'other', probability: 50 });
  for (let lead = 0; lead < 9; lead += 1)
    await addLead(shop.cloud, { anlagebetrag: lead % 3 === 0 ? 10_000 : 30_000 });
  await shop.lead('mine', { anlagebetrag: 30_000 });
  await shop.cloud.settled();
  const { page } = await shop.open(mine.path, PHONE);
  const panel = page.getByRole('tabpanel', { name: 'Mein Anteil' });
  await page.getByText('Mein Anteil').click();
  await panel.getByText('Vereinbarter Anteil: 50 %').waitFor();
  await panel.getByText('Die ersten Angaben erscheinen morgen').waitFor();

  await shop.at('2027-05-13T07:00:00Z');
  await page.reload();
  await page.getByText('Mein Anteil').click();
  const order = panel.getByRole('region', { name: 'Diese Bestellung' });
  await order.waitFor();
  expect((await order.innerText()).replaceAll(/\s+/g, ' ')).toBe(
    'Diese Bestellung 12.05.2027 Anspruch 3 Leads Erhalten 3 Leads Abweichung ausgeglichen Erhaltener Anteil 50 % ' +
      'Zusätzlich von Hand zugeteilt: 1 Lead. 3 nicht für Sie: 3 unter Mindestbetrag',
  );
  await page.getByText('Benachrichtigungen').click();
  const weekly = page.getByLabel('Abrechnung, jeden Montag');
  await weekly.check();
  await page.getByText('Gespeichert.').waitFor();
  await page.reload();
  await page.getByText('Benachrichtigungen').click();
  await page.getByText('Die E-Mails gehen an').waitFor();
  expect(await weekly.isChecked()).toBe(true);
  await expectAccessible(page);

  // The unsubscribe link: opening it changes nothing, one click unsubscribes, another undoes that.
  const buyer = (await buyerStore.byId(shop.cloud, 'mine'))!;
  const { unsubscription } = await createKeyLoader(shop.cloud.environment)();
  await page.goto(
    `${shop.cloud.url}/unsubscribe/${unsubscribeToken(unsubscription, buyer, 'weekly_statement')}`,
  );
  await page.getByText('Möchten Sie keine E-Mails mehr erhalten').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Abbestellen' }).click();
  await page.getByText('Sie erhalten dazu keine E-Mails mehr.').waitFor();
  await page.getByRole('button', { name: 'Weiter erhalten' }).click();
  await page.getByText('Sie erhalten weiter E-Mails').waitFor();
});

it('shows its statement on screen, in print and as a file', async () => {
  await shop.at('2027-05-31T10:00:00Z');
  const order = await shop.order({ buyer_id: 'paying', price_per_lead: '45,50' }, 3);
  const first = await shop.lead('paying');
  await shop.cloud.admin.ok('fileClaim', {
    body: { lead_id: first.lead_id, order_id: order.orderId, buyer_id: 'paying', claim_reason: 'fake' },
  });
  await shop.approve(first.lead_id);
  await shop.at('2027-06-01T10:00:00Z');
  for (let lead = 0; lead < 2; lead += 1) await shop.lead('paying');
  await shop.cloud.settled();
  const { page } = await shop.open(`${order.path}?kontoauszug`, PHONE);
  const statement = page.getByRole('region', { name: 'Bestellung #1' });
  await statement.getByText('Juni 2027').waitFor();
  expect(await statement.innerText()).toContain('31.05.2027');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV: Abrechnung herunterladen' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Abrechnung 2027-06-01.csv');
  await expectAccessible(page);

  await page.evaluate('window.print = () => {}');
  await press(page.getByRole('tabpanel', { name: 'Abrechnung' }), 'Drucken');
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('heading', { name: 'Abrechnung paying' }).isVisible()).toBe(true);
  expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(false);
  expect(await page.getByText('Käthe').first().isVisible()).toBe(false);
});

it('filters the list with chips, and gives feedback about a lead with undo', async () => {
  await shop.at('2027-05-12T07:00:00Z');
  const order = await shop.order({ buyer_id: 'calling' });
  const [first, second] = [await shop.lead('calling', { nachname: 'Erste' }), await shop.lead('calling')];
  const { page } = await shop.open(order.path, PHONE);
  const chip = (name: string | RegExp) => page.getByRole('button', { name });
  const outcome = (leadId: string) => rowOf(page, leadId).getByRole('combobox', { name: /^Rückmeldung/ });
  await chip('Filter').click();
  await chip(/^Reklamierbar 2$/).waitFor();
  await rowOf(page, first.lead_id).getByText('reklamierbar bis Mo 24.05.').waitFor();
  expect(await chip(/^Läuft bald ab 0$/).isEnabled()).toBe(false);

  await outcome(first.lead_id).selectOption('Nicht erreicht');
  await page.getByText('Notiert: Nicht erreicht.').waitFor();
  await page.getByRole('button', { name: 'Rückgängig' }).click();
  await page.getByText('Rückmeldung entfernt.').waitFor();
  await outcome(first.lead_id).selectOption('Abschluss');
  await page.getByText('Notiert: Abschluss.').waitFor();
  expect(await outcome(first.lead_id).inputValue()).toBe('closed');
  const { lead } = await shop.cloud.admin.ok('getLead', { params: { leadId: first.lead_id } });
  expect(lead.feedback).toMatchObject({ said: 'closed', who: 'link' });

  // Every entry is kept, and a mistake is one more.
  await press(rowOf(page, first.lead_id), /^Verlauf \(3\)/);
  const diary = page.getByRole('dialog', { name: 'Verlauf der Rückmeldungen' });
  await diary.getByText('Nr. 1 zurückgenommen').waitFor();
  await press(diary, 'Nicht erreicht');
  await press(diary, 'Zurücknehmen: Nr. 4');
  await diary.getByText('Nr. 4 zurückgenommen').waitFor();
  await expectAccessible(page);
  await press(diary, 'Schließen');
  await rowOf(page, first.lead_id).getByText('Verlauf (5)').waitFor();
  expect(await outcome(first.lead_id).inputValue()).toBe('closed');

  // Without a connection the page shows an error and the stored feedback.
  await page.route('**/api/**', (route) => route.abort());
  await outcome(second.lead_id).selectOption('Erreicht');
  await page.getByText('konnte nicht gespeichert werden').waitFor();
  expect(await outcome(second.lead_id).inputValue()).toBe('');
  await expectAccessible(page);

  // One working day of the window is left, a claim is pending, and a lead has arrived since the last visit.
  await page.goto('/robots.txt');
  await page.unroute('**/api/**');
  await shop.at('2027-05-21T07:00:00Z');
  await shop.cloud.admin.ok('fileClaim', {
    body: { lead_id: second.lead_id, order_id: order.orderId, buyer_id: 'calling', claim_reason: 'fake' },
  });
  const third = await shop.lead('calling', { nachname: 'Neue' });
  await page.clock.fastForward(3_600_000);
  await page.goto(order.path);
  await chip('Filter').click();
  await chip(/^Läuft bald ab 1$/).click();
  expect(await page.locator('[data-lead]').count()).toBe(1);
  await rowOf(page, first.lead_id).waitFor();
  await chip(/^Läuft bald ab 1$/).click();
  await chip(/^Neu seit dem letzten Besuch 1$/).click();
  await rowOf(page, third.lead_id).getByText('Neu', { exact: true }).waitFor();
  expect(await page.locator('[data-lead]').count()).toBe(1);
  await page.getByRole('searchbox').fill('Erste');
  await page.getByText('Kein Lead passt zu dieser Auswahl.').waitFor();
});

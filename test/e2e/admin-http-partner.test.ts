/** A partner without its own code, configured entirely in the buyer form. */
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import {
  addBuyer,
  addLead,
  buyerOf,
  dialog,
  press,
  sees,
  seesMessage,
  step,
  unfold,
} from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';
import { type StubServer, startStub } from '#test/harness/stub-server';

let page: Page;
let partner: StubServer;
const site = setUpSite(async () => {
  partner = await startStub();
  // It always answers XML with status 200, under its own field names.
  partner.answer = ({ method, headers, body }) => {
    const answer = (stand: number, more: string) => ({
      status: 200,
      headers: { 'content-type': 'text/xml' },
      body: `<?xml version="1.0"?><Quittung><Stand code="${stand}"/>${more}</Quittung>`,
    });
    if (method !== 'PUT' || headers['x-zugang'] !== 'Geheim-4711')
      return answer(13, `<Grund>Kein Zugang für ${String(headers['x-zugang'])}</Grund>`);
    const [, mail = ''] = /<Post>([^<]*)<\/Post>/.exec(body) ?? [];
    if (mail.startsWith('kunde')) return answer(13, '<Grund>Schon Kunde</Grund>');
    return mail === '' ? answer(99, '<Grund>Post fehlt</Grund>') : answer(77, `<Vorgang nr="V-${mail}"/>`);
  };
  await addBuyer(site.cloud, { buyer_id: 'amtlich' });
  ({ page } = await site.visitAsAdmin());
});
afterAll(() => partner.stop());

async function editBuyer() {
  await page.goto('/dashboard');
  await press(page, 'Edit amtlich');
  const form = dialog(page, 'Edit Buyer amtlich');
  await unfold(form, 'Partner systems');
  return form;
}

describe('a partner without code', () => {
  it('is configured in the form, tested before saving, and gets its leads', async () => {
    const form = await editBuyer();
    await form.getByRole('switch', { name: 'Use an HTTP address of the buyer' }).check();
    await form.getByLabel('Start from').selectOption({ label: 'XML' });
    await form.getByLabel('Method').selectOption('PUT');
    await form.getByLabel('Authentication').selectOption({ label: 'Key in a header' });
    await form.getByLabel('Name of the header or parameter').fill('X-Zugang');
    await form.locator('[data-path=http_secret]').fill('falsch-0815');
    await form.locator('[data-path=http_url]').fill(`${partner.url}/annahme/$$lead_id$$`);

    // Errors in the template show while it is typed; the preview waits.
    const template = form.getByLabel('Body template');
    await template.fill('<Anfrage_v7><Vorn>$$vornam$$</Vorn></Anfrage_v7>');
    await sees(form.getByText(/Unknown macro \$\$vornam\$\$/));
    await sees(form.getByText('Shown once the fields above are valid.'));
    await template.fill(
      '<Anfrage_v7 art="$$anrede:gender$$ $$src$$"><Her>$$src$$</Her><Post>$$email$$</Post>' +
        '<Ruf>$$telefon:national$$</Ruf><Cent>$$anlagebetrag:cents$$</Cent></Anfrage_v7>',
    );
    await sees(form.getByText(/<Ruf>03023125123<\/Ruf><Cent>2500050<\/Cent>/));

    const rule = async (place: number, path: string, value: string, means: string) => {
      await form.getByRole('button', { name: 'Add rule' }).click();
      const row = form.getByRole('group', { name: `Rule ${place}` });
      await row.getByLabel('What to check').selectOption({ label: 'Field is' });
      await row.getByLabel('Path').fill(path);
      await row.getByLabel('Value').fill(value);
      await row.getByLabel('Means').selectOption({ label: means });
    };
    await rule(1, 'Quittung.Stand.@code', '77', 'Accepted');
    await rule(2, 'Quittung.Stand.@code', '13', 'Refused');
    await form.getByLabel('Path to the partner’s ID').fill('Quittung.Vorgang.@nr');

    // The console uses the unsaved settings.
    const console = form.getByRole('group', { name: 'Console of HTTP' });
    await console.getByRole('button', { name: 'Send a test lead' }).click();
    await sees(console.getByText('Refused, by rule 2'));
    await sees(console.getByText(/x-zugang: \*{8}/));
    await sees(console.getByText(/Kein Zugang für \[removed\]/));
    await form.locator('[data-path=http_secret]').fill('Geheim-4711');
    await console.getByRole('button', { name: 'Send a test lead' }).click();
    await sees(console.getByText('Accepted, by rule 1'));
    await sees(console.getByText('V-testlead@example.com', { exact: true }));
    await sees(console.getByText(/<Ruf>03023125123<\/Ruf>/));
    expect(await form.innerHTML()).not.toContain('Kein Zugang');
    await form.getByRole('button', { name: 'Add entry' }).click();
    await expectAccessible(page, { narrow: true });
    await form.getByRole('button', { name: 'Remove entry 1' }).click();
    expect((await buyerOf(site.cloud, 'amtlich')).use_http_api).toBe(false);

    await form.getByRole('button', { name: 'Save Changes' }).click();
    await seesMessage(page, 'Buyer amtlich saved');
    partner.calls.length = 0;
    const lead = await addLead(site.cloud, {
      buyer_id: 'amtlich',
      email: 'ann@example.org',
      anlagebetrag: 12_345,
    });
    await site.cloud.settled();
    const [call, ...others] = partner.calls;
    expect(others).toEqual([]);
    expect(call?.url).toBe(`/annahme/${lead.lead_id}`);
    expect(call?.body).toContain('<Post>ann@example.org</Post>');
    expect(call?.body).toContain('<Cent>1234500</Cent>');

    await page.goto('/dashboard/deliveries?buyer=amtlich');
    await sees(page.getByText("The partner's id: V-ann@example.org"));
  });

  it('refuses a lead, which is reassigned to the next buyer', async () => {
    const form = await editBuyer();
    await sees(form.getByText(/is not offered to this buyer again/));
    await form
      .getByLabel('If the partner refuses a lead')
      .selectOption({ label: 'Reassign the lead to the next buyer' });
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await seesMessage(page, 'Buyer amtlich saved');
    await addBuyer(site.cloud, { buyer_id: 'naechster', probability: 1 });
    const lead = await addLead(site.cloud, { email: 'kunde@example.org' });
    expect(lead.buyer).toBe('amtlich');
    await site.cloud.settled();

    await page.goto(`/dashboard/leads/${lead.lead_id}`);
    const refused = step(page, 'Refused by amtlich');
    await sees(
      refused.getByText(
        /^Assigned to amtlich as \d+-2 on .* its capacity is released, and it is not billed\.$/,
      ),
    );
    await sees(refused.getByText('The partner refused the lead', { exact: true }));
    await refused.getByText('1 attempt', { exact: true }).click();
    await sees(refused.getByText(/<Grund>Schon Kunde<\/Grund>/));
    await sees(refused.getByText(/^Reassigned /));
    expect(await refused.getByRole('button').count()).toBe(0);
    await refused.getByText('Why it came to amtlich').click();
    await sees(refused.getByText(/This choice was reversed/));
    await sees(step(page, 'Why this buyer').getByText(/amtlich \(refused this lead\)/));
    await sees(step(page, 'Assigned').getByText(/As an original lead to naechster/));
  });
});

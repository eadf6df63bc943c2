/** The path of a lead in the browser: from the login page to the buyer's list and inbox. */
import { expect, it } from 'vitest';
import { logIn, setUpSite } from '#test/e2e/fixture';
import { createLead, openOrder } from '#test/e2e/main-path-steps';

const site = setUpSite(undefined, { onEngine: true });

it('a lead created by an admin reaches the buyer by e-mail and on its list', async () => {
  const { page } = await site.visit();
  await logIn(page);
  await openOrder(page, {
    smtp: { host: 'localhost', port: site.cloud.inbox.port },
    body: '$$anrede$$ $$nachname$$: $$telefon$$',
    limit: 5,
  });
  await createLead(page, { lastName: 'Groß', email: 'kaethe@example.org', phone: '0170 1234567' });

  const { excel_link } = (await site.cloud.admin.ok('listBuyers')).buyers[0] ?? {};
  const visitor = await site.visit(new URL(excel_link ?? '').pathname);
  await visitor.page.getByText('Groß').first().waitFor();
  expect(await visitor.page.getByRole('heading', { level: 1 }).textContent()).toContain(
    'Lead Liste für Bestellung',
  );

  await site.cloud.settled();
  expect(site.cloud.inbox.mails).toEqual([
    expect.objectContaining({
      to: ['einkauf@kapital.example'],
      subject: 'Lead 1-1',
      text: expect.stringContaining('Frau Groß: 0170 1234567'),
    }),
  ]);
});

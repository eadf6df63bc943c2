import { describe, expect, it } from 'vitest';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import { setUpSite } from '#test/e2e/fixture';

describe('the page at /local', () => {
  const site = setUpSite(undefined, { onEngine: true });

  it('shows e-mails and calls to partners as text, and can slow down a partner', async () => {
    site.cloud.inbox.add({
      at: site.cloud.clock.now().toISOString(),
      from: 'a@example.org',
      to: ['b@example.org'],
      subject: '<img src=x onerror=alert(1)>',
      text: 'Ein Lead',
    });
    const { page } = await site.visit('/local');
    await page.getByText('<img src=x onerror=alert(1)>').click();
    await page.getByText('Ein Lead').waitFor();
    await page.getByLabel('trackbox').selectOption('slow');
    await page.locator('select[name=trackbox].broken').waitFor();
    expect(site.cloud.partners.modes.trackbox).toBe('slow');
    await expectAccessible(page);
  });

  it('links to table items by kind, partition and sort key, decoded and in pages', async () => {
    for (let number = 0; number < 55; number += 1)
      await site.cloud.table.put({
        put: { pk: 'PAGES#1', sk: String(number).padStart(3, '0'), inside: '{"list":[1,{"deep":"<b>"}]}' },
      });
    const { page } = await site.visit('/local');
    await expectAccessible(page);
    const follow = async (name: string) => {
      await page.getByRole('link', { name, exact: true }).press('Enter');
      await page.locator('main[aria-busy=false]').waitFor();
    };
    await follow('Table');
    await expectAccessible(page);
    await follow('PAGES');
    const rows = page.getByRole('table', { name: 'Items of PAGES#1' }).locator('tbody tr');
    expect(await rows.count()).toBe(50);
    await rows.first().locator('summary').press('Enter');
    expect(await rows.first().locator('pre').textContent()).toContain('"deep": "<b>"');
    await expectAccessible(page);
    await follow('Next page');
    expect(await rows.count()).toBe(5);
    await page.getByLabel('Sort key begins with').fill('01');
    await page.getByLabel('Sort key begins with').press('Enter');
    await page.getByText('10 items', { exact: true }).waitFor();
  });
});

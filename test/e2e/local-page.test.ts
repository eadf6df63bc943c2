import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityProblems, type Site, startSite } from '#test/e2e/fixture';

describe('the page at /local', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.stop());

  it('shows mails and calls to partners as text, and makes a partner slow', async () => {
    site.cloud.inbox.add({
      at: site.cloud.clock.now().toISOString(),
      from: 'a@example.org',
      to: ['b@example.org'],
      subject: '<img src=x onerror=alert(1)>',
      text: 'Ein Lead',
    });
    const { page, problems, close } = await site.visit('/local');
    await page.getByText('<img src=x onerror=alert(1)>').click();
    await page.getByText('Ein Lead').waitFor();
    await page.getByLabel('trackbox').selectOption('slow');
    await page.locator('select[name=trackbox].broken').waitFor();
    expect(site.cloud.partners.modes.trackbox).toBe('slow');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  it('links to the items of the table: by kind, partition and sort key, decoded and in pages', async () => {
    for (let number = 0; number < 55; number += 1)
      await site.cloud.table.put({
        put: { pk: 'PAGES#1', sk: String(number).padStart(3, '0'), inside: '{"list":[1,{"deep":"<b>"}]}' },
      });
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, problems, close } = await site.visit('/local', { colorScheme });
      expect(await accessibilityProblems(page)).toEqual([]);
      const follow = async (name: string) => {
        await page.getByRole('link', { name, exact: true }).press('Enter');
        await page.locator('main[aria-busy=false]').waitFor();
      };
      await follow('Table');
      expect(await accessibilityProblems(page)).toEqual([]);
      await follow('PAGES');
      const rows = page.getByRole('table', { name: 'Items of PAGES#1' }).locator('tbody tr');
      expect(await rows.count()).toBe(50);
      await rows.first().locator('summary').press('Enter');
      expect(await rows.first().locator('pre').textContent()).toContain('"deep": "<b>"');
      expect(await accessibilityProblems(page)).toEqual([]);
      await follow('Next page');
      expect(await rows.count()).toBe(5);
      await page.getByLabel('Sort key begins with').fill('01');
      await page.getByLabel('Sort key begins with').press('Enter');
      await page.getByText('10 items', { exact: true }).waitFor();
      expect(problems).toEqual([]);
      await close();
    }
  });

  it('refuses requests of other sites', async () => {
    const reply = await site.cloud.visitor.raw('POST', '/local/api/command', '{"mail":"refuse"}', {
      'content-type': 'text/plain',
    });
    expect(reply.status).toBe(415);
    expect(site.cloud.inbox.mode).toBe('ok');
  });
});

describe('the login', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.stop());

  it('gives access to the scripts of the admin app, which nobody else gets', async () => {
    const { page, problems, close } = await site.visitAsAdmin();
    await page.getByRole('heading', { name: 'Dashboard' }).first().waitFor();
    expect(problems).toEqual([]);
    await close();
  });
});

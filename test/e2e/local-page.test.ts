import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityProblems, type Site, startSite } from '#test/e2e/fixture';

describe('the page of the outside world', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.stop());

  it('shows what was sent as text, and makes a partner slow', async () => {
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

  it('is no way in for other sites', async () => {
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

  it('opens the admin build, which nobody else gets', async () => {
    const { page, problems, close } = await site.visitAsAdmin();
    await page.getByRole('heading', { name: 'Dashboard' }).first().waitFor();
    expect(problems).toEqual([]);
    await close();
  });
});

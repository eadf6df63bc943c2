import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addBuyer, addLead, agree, dialog, row, sees, seesMessage } from '#test/e2e/admin-setup';
import { type Site, startSite, type Visit } from '#test/e2e/fixture';

let site: Site;
let visit: Visit;
beforeAll(async () => {
  site = await startSite();
  visit = await site.visitAsAdmin('/dashboard/settings');
  visit.page.setDefaultTimeout(15_000);
  // A form that is left half filled in asks before the page goes.
  visit.page.on('dialog', (question) => void question.accept());
});
afterAll(() => site.stop());

describe('verification', () => {
  it('is on at first, and each check can be switched off', async () => {
    const { page } = visit;
    const section = page.getByRole('region', { name: 'API Verification Settings' });
    await sees(section.getByText('Enabled').nth(2));
    await section.getByRole('button', { name: 'Edit Settings' }).click();
    const form = dialog(page, 'Edit Settings');
    await form.getByRole('switch', { name: 'Phone Verification' }).uncheck();
    await form.getByRole('button', { name: 'Save Settings' }).click();
    await seesMessage(page, 'Settings saved successfully');
    await sees(section.getByText('Disabled'));
    expect(await site.cloud.admin.ok('getVerificationSettings')).toEqual({
      email_verification: true,
      phone_verification: false,
      name_verification: true,
    });
    await page.getByText('Settings saved successfully').waitFor({ state: 'detached', timeout: 8000 });
  });
});

describe('e-mail templates', () => {
  it('are created, and say what is missing', async () => {
    const { page } = visit;
    await sees(page.getByText('No email templates found. Create one to get started.'));
    await page.getByRole('button', { name: 'Add Template' }).click();
    const form = dialog(page, 'Add Email Template');
    await form.getByLabel('SMTP port').fill('99999');
    await form.getByLabel('Subject').fill('$$unknown$$');
    await form.getByRole('button', { name: 'Create Template' }).click();
    for (const text of [
      'Template name is required',
      'SMTP host is required',
      'SMTP user is required',
      'SMTP password is required',
      'Must be a port number from 1 to 65535',
      'Unknown macro $$unknown$$',
    ])
      await sees(form.getByText(text, { exact: true }));
    await form.getByLabel('Template name').fill('Welcome');
    await form.getByLabel('SMTP host').fill('smtp.example.com');
    await form.getByLabel('SMTP port').fill('587');
    await form.getByLabel('SMTP user').fill('user');
    await form.locator('[data-path=smtp_pass]').fill('secret');
    await form.getByLabel('Subject').fill('Lead $$order_lead_id$$');
    await form.getByLabel('Body (plain text)').fill('Hallo $$vorname$$\n$$telefon$$');
    await form.getByRole('button', { name: 'Create Template' }).click();
    await seesMessage(page, 'Email template created successfully');
    await sees(page.getByText('smtp.example.com:587 · Lead $$order_lead_id$$'));
  });

  it('are edited without showing the password', async () => {
    const { page } = visit;
    await page.getByRole('button', { name: 'Edit Welcome' }).click();
    const form = dialog(page, 'Edit Email Template');
    expect(await form.locator('[data-path=smtp_pass]').inputValue()).toBe('********');
    await form.getByLabel('Template name').fill('Welcome 2');
    await form.getByRole('button', { name: 'Save Template' }).click();
    await seesMessage(page, 'Email template updated successfully');
    await sees(page.getByText('Welcome 2', { exact: true }));
  });

  it('ask for the password again when they go to another server', async () => {
    const { page } = visit;
    await page.getByRole('button', { name: 'Edit Welcome 2' }).click();
    const form = dialog(page, 'Edit Email Template');
    const again = form.getByText('Please enter it again, because it would be sent somewhere else');
    await form.getByLabel('SMTP host').fill('smtp.example.net');
    await sees(again);
    await form.getByRole('button', { name: 'Save Template' }).click();
    expect(await form.locator('[data-path=smtp_pass]').inputValue()).toBe('********');
    await form.locator('[data-path=smtp_pass]').fill('secret of example.net');
    await again.waitFor({ state: 'detached' });
    await form.getByRole('button', { name: 'Save Template' }).click();
    await seesMessage(page, 'Email template updated successfully');
    await sees(page.getByText('smtp.example.net:587 · Lead $$order_lead_id$$'));
  });

  it('are duplicated as a new one', async () => {
    const { page } = visit;
    await page.getByRole('button', { name: 'Duplicate Welcome 2' }).click();
    const form = dialog(page, 'Add Email Template');
    expect(await form.getByLabel('Template name').inputValue()).toBe('Welcome 2 (Copy)');
    await form.getByRole('button', { name: 'Create Template' }).click();
    await seesMessage(page, 'Email template created successfully');
    expect((await site.cloud.admin.ok('listEmailTemplates')).map(({ name }) => name).sort()).toEqual([
      'Welcome 2',
      'Welcome 2 (Copy)',
    ]);
  });

  it('are deleted after a question', async () => {
    const { page } = visit;
    await page.getByRole('button', { name: 'Delete Welcome 2 (Copy)' }).click();
    await agree(page, 'Delete template', 'Are you sure you want to delete this email template?', 'Delete');
    await seesMessage(page, 'Email template deleted successfully');
    await page.getByText('Welcome 2 (Copy)').waitFor({ state: 'detached' });
  });

  it('send a test e-mail, and tell what the server said', async () => {
    const { page } = visit;
    await page.getByRole('button', { name: 'Send a test e-mail with Welcome 2' }).click();
    const form = dialog(page, 'Test e-mail with Welcome 2');
    await form.getByLabel('To').fill('nobody');
    await form.getByRole('button', { name: 'Send test e-mail' }).click();
    await sees(form.getByText('Please enter a valid email address'));
    await form.getByRole('button', { name: 'Close' }).last().click();
  });
});

describe('push notifications', () => {
  it('keep credentials, toggle what they tell, and forget them after a question', async () => {
    const { page } = visit;
    const table = page.getByRole('table', { name: 'Pushover credentials' });
    await sees(table.getByText('No credentials configured yet'));
    await page.getByRole('button', { name: 'Add Credentials' }).click();
    const form = dialog(page, 'Add Credentials');
    await form.getByRole('button', { name: 'Add Credentials' }).click();
    await sees(form.getByText('User key is required'));
    await sees(form.getByText('App key is required'));
    await form.getByLabel('User Key').fill('short');
    await form.getByLabel('App Key').fill('a'.repeat(30));
    await form.getByRole('button', { name: 'Add Credentials' }).click();
    await sees(form.getByText('30 letters and digits expected'));
    await form.getByLabel('User Key').fill('u'.repeat(26) + '1234');
    await form.getByRole('button', { name: 'Add Credentials' }).click();
    await form.waitFor({ state: 'detached' });
    await sees(table.getByText(/1234/));
    await table.getByRole('switch', { name: /of claims/ }).click();
    await expect
      .poll(async () => (await site.cloud.admin.ok('listPushoverCredentials'))[0])
      .toMatchObject({ notify_lead_assignment: true, notify_lead_claims: false });
    await page.getByRole('button', { name: /Delete credentials/ }).click();
    await agree(
      page,
      'Delete credentials',
      'Are you sure you want to delete these Pushover credentials?',
      'Delete',
    );
    await sees(table.getByText('No credentials configured yet'));
  });

  it('have a text of their own', async () => {
    const { page } = visit;
    await page.getByRole('button', { name: 'Edit Template', exact: true }).click();
    const form = dialog(page, 'Edit Template');
    const text = form.getByLabel('Notification text');
    expect(await text.getAttribute('rows')).toBe('10');
    await text.fill('Lead $$status$$: $$nope$$');
    await form.getByRole('button', { name: 'Save Template' }).click();
    await sees(form.getByText('Unknown macro $$nope$$'));
    await text.fill('Lead $$status$$: $$nachname$$, $$date$$');
    await form.getByRole('button', { name: 'Save Template' }).click();
    await seesMessage(page, 'Template saved successfully');
    expect(await site.cloud.admin.ok('getPushoverTemplate')).toEqual({
      template: 'Lead $$status$$: $$nachname$$, $$date$$',
    });
  });
});

describe('statistics, what-if, deliveries, audit and search', () => {
  beforeAll(async () => {
    await addBuyer(site.cloud, { buyer_id: 'one', probability: 50, price_per_lead: 30 }, 5);
    await addBuyer(site.cloud, { buyer_id: 'two', probability: 25, buyer_type: 'postpay' }, 5);
    for (let number = 0; number < 3; number += 1) await addLead(site.cloud);
    await site.cloud.settled();
  });

  it('shows charts and the table with its sum', async () => {
    const { page } = visit;
    await page.goto('/dashboard/stats');
    for (const title of ['Lead Volume Over Time', 'Claims Distribution', 'Buyer Comparison'])
      await sees(page.getByRole('heading', { name: title }));
    expect(await page.getByLabel('Time range').locator('option').allTextContents()).toEqual([
      'Last 7 days',
      'Last 30 days',
      'Last 90 days',
      'Last year',
    ]);
    expect(await page.getByLabel('Time range').inputValue()).toBe('30');
    await sees(page.getByText('3 leads in 30 days'));
    await sees(row(page, 'Figures per buyer', 'one').first().getByText('prepay'));
    await sees(row(page, 'Figures per buyer', 'Total Revenue').getByText('60,00 €'));
    await page.getByLabel('Time range').selectOption('7');
    await sees(page.getByText('3 leads in 7 days'));
    await page.getByLabel('Buyer', { exact: true }).selectOption('one');
    await page.waitForURL('**/dashboard/stats?days=7&buyer=one');
    const summary = page.getByRole('region', { name: 'Summary' });
    for (const title of [
      'Total Leads',
      'Active Orders',
      'Pending Reimbursements',
      'Claim Approval Rate',
      'Total Revenue',
    ])
      await sees(summary.getByText(title));
    await page.getByRole('heading', { name: 'Buyer Comparison' }).waitFor({ state: 'detached' });
  });

  it('shows a failure of the statistics in a panel', async () => {
    const { page } = visit;
    await page.route('**/api/admin/buyer-stats**', (route) =>
      route.fulfill({ status: 400, json: { message: 'Not today' } }),
    );
    await page.goto('/dashboard/stats');
    const panel = page.getByRole('main').getByRole('alert');
    await sees(panel.getByText('Error', { exact: true }));
    await sees(panel.getByText('Not today'));
    await page.unroute('**/api/admin/buyer-stats**');
    await panel.getByRole('button', { name: 'Try again' }).click();
    await sees(page.getByRole('heading', { name: 'Lead Volume Over Time' }));
  });

  it('simulates other weights', async () => {
    const { page } = visit;
    await page.goto('/dashboard/simulate');
    await page.getByRole('slider', { name: 'Probability of one' }).focus();
    await page.keyboard.press('Home');
    await page.getByRole('button', { name: 'Simulate' }).click();
    await sees(page.getByRole('heading', { name: '3 leads distributed again' }));
    const cells = row(page, 'Result of the simulation', 'one').getByRole('cell');
    expect(await cells.allTextContents()).toEqual(['one', '2', '0', '-2']);
    expect(
      (await site.cloud.admin.ok('listBuyers')).buyers.find(({ buyer_id }) => buyer_id === 'one')
        ?.probability,
    ).toBe(50);
  });

  it('tells who changed what', async () => {
    const { page } = visit;
    await page.goto('/dashboard/audit');
    await page.getByLabel('What was changed').selectOption('setting');
    await sees(page.getByRole('table', { name: 'Audit trail' }).getByText('phone_verification'));
    await page.waitForURL('**/dashboard/audit?entity=setting');
  });

  it('shows deliveries that failed, and sends them again', async () => {
    const { page } = visit;
    await page.goto('/dashboard/deliveries');
    await sees(page.getByText('No delivery has failed'));
    await sees(page.getByText('No deliveries found'));
    const { admin } = site.cloud;
    const [template] = await admin.ok('listEmailTemplates');
    // Nothing listens there: the address refuses at once.
    await admin.ok('updateEmailTemplate', {
      params: { id: template?.id ?? '' },
      body: { smtp_host: '127.0.0.1', smtp_pass: 'secret' },
    });
    await admin.ok('updateBuyer', {
      params: { buyerId: 'one' },
      body: { send_email: true, email_template_id: template?.id ?? '' },
    });
    const lead = await addLead(site.cloud, { buyer_id: 'one' });
    const line = row(page, 'Deliveries', lead.display_id ?? '');
    await line.getByText(/Failed|Retrying/).waitFor({ timeout: 30_000 });
    await line.getByText('1 attempt').click();
    await line.getByRole('button', { name: /again$/ }).click();
    await sees(page.getByLabel('Messages').getByText(/./).first());
    await page.goto(`/dashboard/leads/${lead.lead_id}`);
    await sees(
      page
        .getByRole('list', { name: 'Story of the lead' })
        .getByText(/attempt/)
        .first(),
    );
  });

  it('jumps anywhere with Ctrl K', async () => {
    const { page } = visit;
    await page.goto('/dashboard');
    await sees(page.getByRole('table', { name: 'Buyers and orders' }));
    await page.keyboard.press('Control+k');
    const search = page.getByRole('combobox', { name: /Search buyers/ });
    await search.fill('audit');
    await sees(page.getByRole('option', { name: /Audit Trail/ }));
    await page.keyboard.press('Enter');
    await sees(page.getByRole('heading', { level: 1, name: 'Audit Trail' }));
    await page.keyboard.press('Control+k');
    await search.fill('Muster');
    await page
      .getByRole('listbox', { name: 'Results' })
      .getByRole('option')
      .filter({ hasText: /^lead/i })
      .first()
      .click();
    await sees(page.getByRole('heading', { name: /Erika Muster/ }));
    await page.keyboard.press('Control+k');
    await search.fill('two');
    await page
      .getByRole('option')
      .filter({ hasText: /^buyer/i })
      .first()
      .click();
    await page.waitForURL('**/dashboard?q=two&inactive=1');
    await sees(row(page, 'Buyers and orders', 'two@example.com'));
  });

  it('obeys single letters, except while somebody types', async () => {
    const { page } = visit;
    await page.goto('/dashboard');
    const search = page.getByRole('searchbox', { name: 'Find a buyer or order' });
    await sees(search);
    await page.keyboard.press('/');
    await page.keyboard.type('space');
    expect(await search.inputValue()).toBe('space');
    await search.blur();
    await page.keyboard.press('?');
    const sheet = dialog(page, 'Keyboard shortcuts');
    await sees(sheet.getByText('Jump to a buyer, an order, a lead or a screen'));
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.keyboard.press('e');
    await sees(page.getByRole('heading', { level: 1, name: 'Settings' }));
    await page.keyboard.press('n');
    await sees(dialog(page, 'Add New Buyer'));
    await page.keyboard.press('Escape');
  });

  it('shows in one tab within seconds what another did', async () => {
    const { page } = visit;
    await page.goto('/dashboard');
    await sees(row(page, 'Buyers and orders', 'two@example.com').getByText('25%'));
    await site.cloud.admin.ok('updateBuyer', { params: { buyerId: 'two' }, body: { probability: 26 } });
    await row(page, 'Buyers and orders', 'two@example.com').getByText('26%').waitFor({ timeout: 10_000 });
  });
});

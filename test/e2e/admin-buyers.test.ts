import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addBuyer,
  addLead,
  agree,
  dialog,
  row,
  sees,
  seesBanner,
  seesMessage,
  TEMPLATE,
} from '#test/e2e/admin-setup';
import { type Site, startSite, type Visit } from '#test/e2e/fixture';
import { aLeadRequest } from '#test/factories/people';

const TOTAL = 'Total probability cannot exceed 100%. Please adjust the value.';

let site: Site;
let visit: Visit;
beforeAll(async () => {
  site = await startSite();
  await site.cloud.admin.ok('createEmailTemplate', { body: TEMPLATE });
  await addBuyer(
    site.cloud,
    { buyer_id: 'first', probability: 60, price_per_lead: 40, min_investment: 5000 },
    2,
  );
  await addBuyer(site.cloud, {
    buyer_id: 'second',
    probability: 20,
    buyer_type: 'postpay',
    use_sellanylead_api: true,
  });
  await addBuyer(site.cloud, { buyer_id: 'resting', probability: 0 }, 0);
  await addLead(site.cloud, { buyer_id: 'first' });
  visit = await site.visitAsAdmin('/dashboard', { permissions: ['clipboard-read', 'clipboard-write'] });
});
afterAll(() => site.stop());

const buyers = () => site.cloud.admin.ok('listBuyers').then((answer) => answer.buyers);
const buyer = async (id: string) => (await buyers()).find(({ buyer_id }) => buyer_id === id);

async function home() {
  await visit.page.goto('/dashboard');
  await visit.page.getByRole('table', { name: 'Buyers and orders' }).waitFor();
  return visit.page;
}

describe('the dashboard', () => {
  it('shows the totals', async () => {
    const page = await home();
    const figures = page.getByRole('region', { name: 'Key figures' });
    await sees(figures.getByText('Active Orders Progress'));
    await sees(figures.getByText('1 / 12 (8%)'));
    for (const title of ['Pending Leads', 'Pending Reclamations', 'Pending Reimbursements', 'Total Revenue'])
      await sees(figures.getByText(title));
    await sees(figures.getByText('40,00 €'));
  });

  it('lists buyers with their order, types and progress; inactive ones on demand', async () => {
    const page = await home();
    const first = row(page, 'Buyers and orders', 'first@example.com');
    for (const text of ['60%', '5.000 €', '40,00 €', 'Pre', '#1', '1 / 2']) await sees(first.getByText(text));
    const second = row(page, 'Buyers and orders', 'second@example.com');
    for (const text of ['Post', 'SAL']) await sees(second.getByText(text, { exact: true }));
    expect(await row(page, 'Buyers and orders', 'resting@example.com').count()).toBe(0);
    await page.getByRole('switch', { name: 'Show inactive buyers' }).check();
    await sees(row(page, 'Buyers and orders', 'resting@example.com'));
    await page.reload();
    await sees(row(page, 'Buyers and orders', 'resting@example.com'));
  });

  it('searches and sorts, and remembers which columns are shown', async () => {
    const page = await home();
    await page.getByRole('button', { name: 'Probability' }).click();
    await page.waitForURL('**/dashboard?sort=probability&dir=desc');
    const listed = () => page.getByText(/@example\.com$/).allInnerTexts();
    await expect.poll(listed).toEqual(['first@example.com', 'second@example.com']);
    await page.getByRole('button', { name: 'Probability' }).click();
    await page.waitForURL('**/dashboard?sort=probability');
    await expect.poll(listed).toEqual(['second@example.com', 'first@example.com']);
    await page.getByRole('searchbox', { name: 'Find a buyer or order' }).fill('#2');
    await sees(row(page, 'Buyers and orders', 'second@example.com'));
    expect(await row(page, 'Buyers and orders', 'first@example.com').count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Find a buyer or order' }).fill('nobody');
    await sees(page.getByText('No buyers found'));
    await home();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Min investment' }).uncheck();
    await page.getByRole('columnheader', { name: 'Min investment' }).waitFor({ state: 'detached' });
    // The address may sort by a column that is not shown.
    await page.goto('/dashboard?sort=min_investment&dir=desc');
    await expect.poll(listed).toEqual(['first@example.com', 'second@example.com']);
    await page.reload();
    await sees(page.getByRole('columnheader', { name: 'Price per lead' }));
    expect(await page.getByRole('columnheader', { name: 'Min investment' }).count()).toBe(0);
    await page.evaluate("localStorage.removeItem('columns-buyers')");
  });

  it('copies an order’s link, and renews it so that the old one stops working', async () => {
    const page = await home();
    const old = (await buyer('first'))?.excel_link ?? '';
    const first = row(page, 'Buyers and orders', 'first@example.com');
    await first.getByRole('button', { name: 'Copy link' }).click();
    await sees(first.getByRole('button', { name: 'Copied' }));
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(old);
    await page.getByRole('button', { name: 'Regenerate link of first' }).click();
    await agree(page, 'Regenerate link', /The old link stops working/, 'Regenerate');
    const shown = await dialog(page, 'New link for first').getByLabel('Leads link').inputValue();
    expect(shown).not.toBe(old);
    expect(shown).toBe((await buyer('first'))?.excel_link);
    const token = old.split('/').at(-1) ?? '';
    expect((await site.cloud.visitor.call('viewLeads', { params: { token } })).status).toBe(404);
    await dialog(page, 'New link for first').getByRole('button', { name: 'Done' }).click();
  });
});

describe('adding a buyer', () => {
  it('names every invalid field', async () => {
    const page = await home();
    await page.getByRole('button', { name: 'Add Buyer' }).first().click();
    const form = dialog(page, 'Add New Buyer');
    await form.getByLabel('Probability').fill('');
    await form.getByLabel('Maximum claim days').fill('31');
    await form.getByLabel('Minimum days for NE').fill('0');
    await form.getByLabel('Custom Data Mapping').fill('{ no json');
    await form.getByRole('combobox', { name: 'E-mail template', exact: true }).selectOption('');
    await form.getByRole('switch', { name: 'Use the lead-broker API' }).check();
    await form.getByRole('switch', { name: 'Use the tracking-platform API' }).check();
    await form.getByLabel('Domain').fill('https://box.example.com');
    await form.getByRole('button', { name: 'Add Buyer' }).click();
    for (const text of [
      'Buyer ID is required',
      'Please enter a valid email address',
      'Probability must be a number from 0 to 100',
      'Maximum claim days must be between 1 and 30',
      'Minimum days for NE must be between 1 and 30',
      'Must be valid JSON',
      'Lead type ID is required',
      'Username is required',
      'Password is required',
      'AI is required',
      'GI is required',
      'Enter the domain without protocol, for example box.example.com',
    ])
      await sees(form.getByText(text, { exact: true }));
    expect(await form.getByText('API key is required').count()).toBe(2);
    // Once beside the field and once as the warning.
    expect(await form.getByText('An email template is required to send emails').count()).toBe(2);
    await form.getByLabel('Maximum claim days').fill('3');
    await form.getByLabel('Minimum days for NE').fill('4');
    await form.getByRole('button', { name: 'Add Buyer' }).click();
    await sees(form.getByText('Minimum days for NE may not exceed maximum claim days'));
    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.waitFor({ state: 'detached' });
  });

  it('warns before unsaved changes are lost', async () => {
    const page = await home();
    await page.getByRole('button', { name: 'Add Buyer' }).first().click();
    const form = dialog(page, 'Add New Buyer');
    await form.getByLabel('Buyer ID').fill('half-done');
    await page.keyboard.press('Escape');
    const question = dialog(page, 'Unsaved changes');
    await sees(question.getByText('You have unsaved changes. Leave without saving?'));
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await form.getByLabel('Buyer ID').inputValue()).toBe('half-done');
    await page.keyboard.press('Escape');
    await dialog(page, 'Unsaved changes').getByRole('button', { name: 'Leave' }).click();
    await form.waitFor({ state: 'detached' });
  });

  it('refuses more than 100% in total, accepts German numbers, and stores every field', async () => {
    const page = await home();
    await page.getByRole('button', { name: 'Add Buyer' }).first().click();
    const form = dialog(page, 'Add New Buyer');
    await form.getByLabel('Buyer ID').fill('third');
    await form.getByLabel('Buyer email').fill('third@example.com');
    await form.getByLabel('Probability').fill('20,01');
    await form.getByRole('button', { name: 'Add Buyer' }).click();
    await sees(form.getByText(TOTAL));
    await form.getByLabel('Probability').fill('12,5');
    await form.getByLabel('Min investment').fill('12.500,50');
    const silence = form.getByLabel('If a claim is not decided in time');
    expect(await silence.isDisabled()).toBe(true);
    await form.getByLabel('Working days to decide a claim').fill('10');
    await silence.selectOption({ label: 'Approve it' });
    await form.getByLabel('Claim quota').fill('15');
    await form.getByRole('switch', { name: 'Send e-mails' }).check();
    await form
      .getByRole('combobox', { name: 'E-mail template', exact: true })
      .selectOption({ label: 'Standard' });
    await form.getByRole('switch', { name: 'Use the tracking-platform API' }).check();
    await form.getByLabel('Username').fill('user');
    await form.locator('[data-path=trackbox_password]').fill('pass');
    await form.getByLabel('Platform API key').fill('key');
    await form.getByLabel('Domain').fill('box.example.com');
    await form.locator('[data-path=trackbox_ai]').fill('11');
    await form.locator('[data-path=trackbox_gi]').fill('22');
    await form.getByLabel('Tracking platform mapping').fill('{ "MPC_1": "clickId" }');
    await form.getByRole('button', { name: 'Add Buyer' }).click();
    await seesMessage(page, 'Buyer third added');
    await form.waitFor({ state: 'detached' });
    expect(await buyer('third')).toMatchObject({
      probability: 12.5,
      min_investment: 12_500.5,
      send_email: true,
      use_trackbox_api: true,
      trackbox_ci: '1',
      trackbox_password: '********',
      trackbox_custom_mapping: { MPC_1: 'clickId' },
      max_claim_days: 7,
      min_days_for_ne: 5,
      decision_days: 10,
      on_silence: 'approve',
      claim_quota_percent: 15,
    });
  });

  it("shows the server's error beside the field", async () => {
    const page = await home();
    await page.getByRole('button', { name: 'Add Buyer' }).first().click();
    const form = dialog(page, 'Add New Buyer');
    await form.getByLabel('Buyer ID').fill('first');
    await form.getByLabel('Buyer email').fill('again@example.com');
    await form.getByLabel('Probability').fill('0');
    await form.getByRole('button', { name: 'Add Buyer' }).click();
    await sees(page.getByLabel('Errors').getByText(/./).first());
    await sees(form);
    await form.getByRole('button', { name: 'Cancel' }).click();
  });
});

describe('editing a buyer', () => {
  it('keeps secrets, hides the replacement template of postpaid buyers, and changes the id', async () => {
    const page = await home();
    await page.getByRole('switch', { name: 'Show inactive buyers' }).check();
    await page.getByRole('button', { name: 'Edit third' }).click();
    const form = dialog(page, 'Edit Buyer third');
    expect(await form.locator('[data-path=trackbox_password]').inputValue()).toBe('********');
    await sees(form.getByLabel('E-mail template for replacement leads'));
    await form.getByLabel('Buyer type').selectOption('postpay');
    await form.getByLabel('E-mail template for replacement leads').waitFor({ state: 'detached' });
    const again = form.getByText('Enter it again, because the destination has changed');
    const domain = form.locator('[data-path=trackbox_domain]');
    const own = await domain.inputValue();
    await domain.fill('box.example.net');
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await sees(again.first());
    expect(await again.count()).toBe(2);
    await domain.fill(own);
    await form.getByLabel('Buyer ID').fill('third-renamed');
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await seesMessage(page, 'Buyer third-renamed saved');
    expect(await buyer('third')).toBeUndefined();
    expect(await buyer('third-renamed')).toMatchObject({
      buyer_type: 'postpay',
      trackbox_password: '********',
    });
  });

  it('asks for a confirmation before 100% sets all others to 0%', async () => {
    const page = await home();
    await page.getByRole('button', { name: 'Edit second' }).click();
    const form = dialog(page, 'Edit Buyer second');
    await form.getByLabel('Probability').fill('100');
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await dialog(page, 'All leads to one buyer').getByRole('button', { name: 'Cancel' }).click();
    expect((await buyer('second'))?.probability).toBe(20);
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await agree(page, 'All leads to one buyer', /all other active buyers to 0%/, 'Set to 100%');
    await form.waitFor({ state: 'detached' });
    expect((await buyer('second'))?.probability).toBe(100);
    expect((await buyer('first'))?.probability).toBe(0);
    await site.cloud.admin.ok('updateBuyer', { params: { buyerId: 'second' }, body: { probability: 20 } });
    await site.cloud.admin.ok('updateBuyer', { params: { buyerId: 'first' }, body: { probability: 60 } });
  });
});

describe('orders', () => {
  it('are created with a limit; the form names what is missing', async () => {
    const page = await home();
    await page.getByRole('button', { name: 'Create Order' }).first().click();
    const form = dialog(page, 'Create New Order');
    await form.getByLabel('Lead limit').fill('0');
    await form.getByRole('button', { name: 'Create Order' }).click();
    await sees(form.getByText('Please select a buyer'));
    await sees(form.getByText('The lead limit must be at least 1'));
    await form.getByLabel('Buyer').selectOption('resting');
    await form.getByLabel('Lead limit').fill('7');
    await form.getByRole('button', { name: 'Create Order' }).click();
    const link = dialog(page, 'New link for resting');
    expect(await link.getByLabel('Leads link').inputValue()).toMatch(/\/leads\/[\w-]{43}$/);
    await link.getByRole('button', { name: 'Done' }).click();
    await sees(row(page, 'Buyers and orders', 'resting@example.com').getByText('0 / 7'));
  });

  it('are refused for a buyer with an open order', async () => {
    const page = await home();
    await page.getByRole('button', { name: 'Create Order' }).first().click();
    const form = dialog(page, 'Create New Order');
    await form.getByLabel('Buyer').selectOption('resting');
    await sees(form.getByText('This buyer has an open order'));
    await form.getByLabel('Lead limit').fill('3');
    await form.getByRole('button', { name: 'Create Order' }).click();
    await sees(page.getByLabel('Errors').getByText(/open order/));
    await form.getByRole('button', { name: 'Cancel' }).click();
  });

  it('show a new limit at once, and the former one again with an error when it is refused', async () => {
    const page = await home();
    const change = async (limit: string) => {
      await page.getByRole('button', { name: 'Change lead limit of first' }).click();
      const form = dialog(page, 'Lead limit of first');
      await form.getByLabel('Lead limit').fill(limit);
      await form.getByRole('button', { name: 'Save' }).click();
      return form;
    };
    const first = row(page, 'Buyers and orders', 'first@example.com');
    const form = await change('none');
    await sees(form.getByText('Invalid lead limit'));
    await form.getByRole('button', { name: 'Cancel' }).click();

    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/admin/first', async (route) => {
      await held;
      await route.abort();
    });
    await change('9');
    await sees(first.getByText('1 / 9'));
    release();
    await seesBanner(page, 'Failed to update order limit');
    await sees(first.getByText('1 / 2'));
    await sees(page.locator('[data-rolled-back]'));
    await page.unroute('**/api/admin/first');

    await change('5');
    await sees(first.getByText('1 / 5'));
    await expect.poll(async () => (await buyer('first'))?.lead_limit).toBe(5);
  });

  it('go out at the pace that is set, and wait for the hours of their buyer', async () => {
    const page = await home();
    await page.getByRole('button', { name: 'Change lead limit of first' }).click();
    const limit = dialog(page, 'Lead limit of first');
    await limit.getByLabel('Leads per day').fill('many');
    await limit.getByRole('button', { name: 'Save' }).click();
    await sees(limit.getByText('Enter a whole number from 1, or leave empty'));
    await limit.getByLabel('Leads per day').fill('1');
    await limit.getByLabel('Leads per week').fill('20');
    await limit.getByRole('button', { name: 'Save' }).click();
    const first = row(page, 'Buyers and orders', 'first@example.com');
    await sees(first.getByText(/^paused until \w+ 00:00 · today 1 of 1 · week 1 of 20$/));

    await page.getByRole('button', { name: 'Edit first' }).click();
    const form = dialog(page, 'Edit Buyer first');
    await form.getByLabel('Only deliver leads at certain hours').check();
    await form.getByLabel('From').fill('9:00');
    await form.getByRole('textbox', { name: 'To', exact: true }).fill('8:00');
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await sees(form.getByText('The end must be after the start'));
    await form.getByRole('textbox', { name: 'To', exact: true }).fill('24:00');
    await form.getByLabel('Sat').check();
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await form.waitFor({ state: 'hidden' });
    await expect
      .poll(async () => (await buyer('first'))?.schedule)
      .toEqual({ weekdays: [1, 2, 3, 4, 5, 6], from: '09:00', to: '24:00', holidays_off: true });

    const change = (buyerId: string, body: { active?: boolean; schedule?: null }) =>
      site.cloud.admin.ok('updateBuyer', { params: { buyerId }, body });
    await change('second', { active: false });
    await site.cloud.admin.ok('createLead', { body: aLeadRequest({ anlagebetrag: 6000 }) });
    await page.goto('/dashboard/ineligible-leads');
    const waiting = page.getByRole('table', { name: 'Pending leads' });
    await sees(waiting.getByText('Every eligible buyer is outside its hours or at its cap'));
    await sees(waiting.getByText(/^next opening \w+ 09:00$/));
    for (const { lead_id } of (await site.cloud.admin.ok('listPendingLeads', { query: {} })).ineligible_leads)
      await site.cloud.admin.ok('discardPendingLead', { params: { leadId: lead_id } });
    await change('first', { schedule: null });
    await change('second', { active: true });
    await site.cloud.admin.ok('updateOrderLimit', {
      params: { buyerId: 'first' },
      body: { lead_limit: 5, daily_cap: null, weekly_cap: null },
    });
  });

  it('are listed for a buyer, commented, deleted and restored', async () => {
    const page = await home();
    await page.getByRole('button', { name: 'View orders of first' }).click();
    const history = dialog(page, 'Orders for buyer first');
    const order = history.getByRole('row').filter({ hasText: 'Order ID 1' });
    await sees(order.getByText('Active'));
    expect(await history.getByRole('button', { name: 'Restore last deleted order' }).isDisabled()).toBe(true);

    await history.getByRole('button', { name: 'Comments of order 1' }).click();
    const comments = dialog(page, 'Order Comments #1');
    await comments.getByLabel('Comments').fill('Nur vormittags\nanrufen');
    await comments.getByRole('button', { name: 'Save' }).click();
    await seesMessage(page, 'Comments saved');
    await sees(order.getByText(/Nur vormittags/));

    await history.getByRole('button', { name: 'Delete order 1' }).click();
    await agree(page, 'Delete order', /Delete order 1\?/, 'Delete');
    await sees(order.getByText('Deleted'));
    await history.getByRole('button', { name: 'Restore last deleted order' }).click();
    await seesMessage(page, 'Order 1 restored');
    await sees(order.getByText('Active'));
    await page.keyboard.press('Escape');
    await history.waitFor({ state: 'detached' });
  });

  it('renews the link of an order, switches it off and on again', async () => {
    const page = await home();
    await page.getByRole('button', { name: 'View orders of first' }).click();
    const history = dialog(page, 'Orders for buyer first');
    const order = history.getByRole('row').filter({ hasText: 'Order ID 1' });
    const statusOf = async (link: string | null | undefined) =>
      (await site.cloud.visitor.call('viewLeads', { params: { token: link?.split('/').at(-1) ?? '' } }))
        .status;
    const current = async () => (await buyer('first'))?.excel_link;
    const old = await current();

    await order.getByRole('button', { name: 'Renew link of order 1' }).click();
    await agree(page, 'Renew link', /The old link stops working/, 'Renew');
    const shown = dialog(page, 'New link for first');
    const renewed = await shown.getByLabel('Leads link').inputValue();
    await shown.getByRole('button', { name: 'Done' }).click();
    expect(await current()).toBe(renewed);
    expect([await statusOf(old), await statusOf(renewed)]).toEqual([404, 200]);

    await order.getByRole('button', { name: 'Turn off link of order 1' }).click();
    await agree(page, 'Turn off link', /It stops working permanently/, 'Turn off');
    await seesMessage(page, 'Link of order 1 turned off');
    await sees(order.getByText('Off', { exact: true }));
    expect(await order.getByRole('button', { name: 'Copy link' }).count()).toBe(0);
    expect([await current(), await statusOf(renewed)]).toEqual([null, 404]);

    await order.getByRole('button', { name: 'Turn on link of order 1' }).click();
    await shown.getByRole('button', { name: 'Done' }).click();
    await sees(order.getByRole('button', { name: 'Copy link' }));
    expect([await statusOf(await current()), await statusOf(renewed)]).toEqual([200, 404]);
    await page.keyboard.press('Escape');
    await history.waitFor({ state: 'detached' });
  });

  it('can take over the buyer’s balance of replacements', async () => {
    const { admin } = site.cloud;
    // An approved claim of a prepay buyer without an order ends in its balance.
    await addBuyer(site.cloud, { buyer_id: 'owed', probability: 1 }, 3);
    const lead = await addLead(site.cloud, { buyer_id: 'owed' });
    const { claim } = await admin.ok('fileClaim', {
      body: {
        lead_id: lead.lead_id,
        order_id: Number(lead.display_id?.split('-')[0]),
        buyer_id: 'owed',
        claim_reason: 'fake',
      },
    });
    const { orders } = await admin.ok('listBuyerOrders', { params: { buyerId: 'owed' } });
    await admin.ok('deleteOrder', { params: { buyerId: 'owed', orderId: orders[0]?.order_id ?? 0 } });
    await admin.ok('approveClaim', { params: { claimId: claim.claim_id }, body: {} });

    const page = await home();
    await page.getByRole('button', { name: 'Create Order' }).first().click();
    const form = dialog(page, 'Create New Order');
    await form.getByLabel('Buyer').selectOption('owed');
    await form.getByLabel('Lead limit').fill('2');
    await form.getByRole('checkbox', { name: 'Use balance (1 available)' }).check();
    expect(await form.getByLabel('Balance amount').inputValue()).toBe('1');
    await form.getByLabel('Balance amount').fill('2');
    await form.getByRole('button', { name: 'Create Order' }).click();
    await sees(form.getByText('Must be a whole number from 1 to 1'));
    await form.getByLabel('Balance amount').fill('1');
    await form.getByRole('button', { name: 'Create Order' }).click();
    await dialog(page, 'New link for owed').getByRole('button', { name: 'Done' }).click();
    expect(await buyer('owed')).toMatchObject({ reimbursement_pending: 1, balance_count: 0 });
  });

  it('have a ledger of replacements, which may be empty', async () => {
    const page = await home();
    await page.getByRole('button', { name: 'View orders of first' }).click();
    await dialog(page, 'Orders for buyer first').getByRole('tab', { name: 'Replacements' }).click();
    await sees(page.getByText('No replacements'));
    await page.keyboard.press('Escape');

    await page.route('**/api/lead-claims/replacements/owed', (route) =>
      route.fulfill({ status: 400, body: 'no json' }),
    );
    await page.getByRole('button', { name: 'View orders of owed' }).click();
    const history = dialog(page, 'Orders for buyer owed');
    await history.getByRole('tab', { name: 'Replacements' }).click();
    await sees(history.getByText('The replacements could not be loaded'));
    await sees(history.getByText('Failed to load data'));
    await page.unroute('**/api/lead-claims/replacements/owed');
    await history.getByRole('button', { name: 'Try again' }).click();

    const ledger = history.getByRole('table', { name: 'Replacements of buyer owed' });
    await sees(history.getByText('1 replacement owed, 0 of them in the balance.'));
    const cells = async (which: number) =>
      (await ledger.getByRole('row').nth(which).getByRole('cell').allTextContents()).slice(1);
    const { orders } = await site.cloud.admin.ok('listBuyerOrders', { params: { buyerId: 'owed' } });
    const order_id = orders[0]?.order_id;
    expect(await cells(1)).toEqual([
      '1 replacement from the balance to the new order',
      String(order_id),
      '–',
      '–',
      '0',
      '1',
    ]);
    expect(await cells(2)).toEqual(['Claim approved, credited to the balance', '–', '#1', '–', '1', '1']);

    const replacing = await addLead(site.cloud, { buyer_id: 'owed' });
    const link = ledger.getByRole('link', { name: `Show lead ${replacing.lead_id}` });
    await page.clock.fastForward(10_000);
    await sees(link);
    expect(await cells(1)).toEqual(['Replacement delivered', String(order_id), '#1', 'Show lead', '0', '0']);
    await link.click();
    await history.waitFor({ state: 'detached' });
    await sees(page.getByText('Replacement lead', { exact: true }));
  });
});

describe('deleting a buyer', () => {
  it('removes its row, and shows it among the inactive ones', async () => {
    const page = await home();
    const second = row(page, 'Buyers and orders', 'second@example.com');
    await page.getByRole('button', { name: 'Delete second' }).click();
    const question = dialog(page, 'Delete buyer');
    await question.getByRole('checkbox', { name: 'Turn off the links of all its orders' }).check();
    await agree(page, 'Delete buyer', /Its orders and leads stay/, 'Delete');
    await seesMessage(page, 'Buyer second deleted');
    await second.waitFor({ state: 'detached' });
    expect(await buyer('second')).toMatchObject({ deleted: true, excel_link: null });
    await page.getByRole('switch', { name: 'Show inactive buyers' }).check();
    await sees(second.getByText('deleted'));
    expect(await page.getByRole('button', { name: 'Edit second' }).count()).toBe(0);
  });

  it('writes no error to the console', () => {
    expect(visit.problems).toEqual([]);
  });
});

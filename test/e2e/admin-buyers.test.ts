import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  addBuyer,
  addClaim,
  addLead,
  agree,
  buyerOf,
  changeBuyer,
  dialog,
  fill,
  follow,
  hold,
  home,
  inMenu,
  press,
  REFRESHED_WITHIN_MS,
  row,
  rowAction,
  type Step,
  sees,
  seesBanner,
  seesMessage,
  seesTexts,
  TEMPLATE,
  unfold,
} from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';
import { tokenOf } from '#test/harness/cloud';

let page: Page;
const site = setUpSite(async () => {
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
  ({ page } = await site.visitAsAdmin('/dashboard', { permissions: ['clipboard-read', 'clipboard-write'] }));
});

const buyer = (id: string) => buyerOf(site.cloud, id);
const inTable = (text: string) => row(page, 'Buyers and orders', text);
const progress = (text: string, name: string) =>
  inTable(text).getByRole('progressbar', { name, exact: true });
const statusOf = async (link: string | null | undefined) =>
  (await site.cloud.visitor.call('viewLeads', { params: { token: tokenOf(link) } })).status;

async function openForm(open: Step, title: string) {
  await home(page);
  await follow(page, [open]);
  return dialog(page, title);
}

describe('the dashboard', () => {
  it('shows the totals, and the buyers with their order, types and progress; inactive ones on demand', async () => {
    await home(page);
    const figures = page.getByRole('region', { name: 'Key figures' });
    const titles = ['Pending Leads', 'Pending Reclamations', 'Pending Reimbursements', 'Total Revenue'];
    await seesTexts(figures, 'Active Orders Progress', '1 / 12 (8%)', ...titles, '40,00 €');
    await seesTexts(inTable('first@example.com'), '60%', '5.000 €', '40,00 €', 'Pre', '#1', '1 / 2');
    await seesTexts(inTable('second@example.com'), 'Post', 'SAL');
    expect(await inTable('resting@example.com').count()).toBe(0);
    expect(
      await progress('first@example.com', 'Order 1 delivered: 1 of 2').getAttribute('aria-valuenow'),
    ).toBe('50');
    await page.getByRole('switch', { name: 'Show inactive buyers' }).check();
    await sees(inTable('resting@example.com'));
  });

  it('searches and sorts, and stores the view in the URL and on the device', async () => {
    await press(page, 'Probability', 'Probability');
    await page.waitForURL('**/dashboard?inactive=1&sort=probability');
    const listed = () => page.getByText(/@example\.com$/).allInnerTexts();
    await expect.poll(listed).toEqual(['resting', 'second', 'first'].map((id) => `${id}@example.com`));
    const search = page.getByRole('searchbox', { name: 'Find a buyer or order' });
    await search.fill('order 2');
    await expect.poll(listed).toEqual(['second@example.com']);
    await search.fill('#1');
    await expect.poll(listed).toEqual(['second', 'first'].map((id) => `${id}@example.com`));
    await search.fill('nobody');
    await sees(page.getByText('No buyers found'));
    await search.fill('');
    await press(page, 'Columns');
    await page.getByRole('checkbox', { name: 'Min investment' }).uncheck();
    await page.getByRole('columnheader', { name: 'Min investment' }).waitFor({ state: 'detached' });
    // The URL may sort by a hidden column.
    await page.goto('/dashboard?sort=min_investment&dir=desc');
    await expect.poll(listed).toEqual(['first@example.com', 'second@example.com']);
    expect(await page.getByRole('columnheader', { name: 'Min investment' }).count()).toBe(0);
    await page.evaluate("localStorage.removeItem('columns-buyers')");
  });

  it('copies an order’s link, and regenerates it so that the old one stops working', async () => {
    await home(page);
    const old = (await buyer('first')).excel_link ?? '';
    await rowAction(page, 'Copy link of first');
    await seesMessage(page, 'Link of first copied');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(old);
    await rowAction(page, 'Regenerate link of first');
    await agree(page, 'Regenerate link', /The old link stops working/, 'Regenerate');
    const shown = await dialog(page, 'New link for first').getByLabel('Leads link').inputValue();
    expect(shown).not.toBe(old);
    expect(shown).toBe((await buyer('first')).excel_link);
    expect(await statusOf(old)).toBe(404);
  });
});

describe('the buyer form', () => {
  it('shows invalid fields, and warns before unsaved changes are lost', async () => {
    const form = await openForm('Add Buyer', 'Add New Buyer');
    await fill(form, { Probability: '' });
    await unfold(form, 'Partner systems');
    await form.getByRole('switch', { name: 'Use the tracking-platform API' }).check();
    await press(form, 'Add Buyer');
    await seesTexts(form, 'Buyer ID is required', 'Username is required');
    await page.keyboard.press('Escape');
    const question = dialog(page, 'Unsaved changes');
    await sees(question.getByText('You have unsaved changes. Leave without saving?'));
    await press(question, 'Cancel');
    await sees(form.getByText('Username is required'));
    await page.keyboard.press('Escape');
    await press(question, 'Leave');
    await form.waitFor({ state: 'detached' });
  });

  it('rejects more than 100% in total, accepts German numbers, and stores every field', async () => {
    const form = await openForm('Add Buyer', 'Add New Buyer');
    await fill(form, { 'Buyer ID': 'third', 'Buyer email': 'third@example.com', Probability: '20,01' });
    await press(form, 'Add Buyer');
    await sees(form.getByText('Total probability cannot exceed 100%. Please adjust the value.'));
    await unfold(form, 'Which leads', 'Claims', 'Partner systems');
    const silence = form.getByLabel('If a claim is not decided in time');
    expect(await silence.isDisabled()).toBe(true);
    await fill(form, {
      Probability: '12,5',
      'Min investment': '12.500,50',
      'Working days to decide a claim': '10',
      'Claim quota': '15',
    });
    await silence.selectOption({ label: 'Approve it' });
    await form.getByRole('switch', { name: 'Send e-mails' }).check();
    await form.getByLabel('E-mail template').first().selectOption({ label: 'Standard' });
    await form.getByRole('switch', { name: 'Use the tracking-platform API' }).check();
    for (const [field, value] of Object.entries({ password: 'pass', ai: '11', gi: '22' }))
      await form.locator(`[data-path=trackbox_${field}]`).fill(value);
    await fill(form, {
      Username: 'user',
      'Platform API key': 'key',
      Domain: 'box.example.com',
      'Tracking platform mapping': '{ "MPC_1": "clickId" }',
    });
    await press(form, 'Add Buyer');
    await seesMessage(page, 'Buyer third added');
    await form.waitFor({ state: 'detached' });
    expect(await buyer('third')).toMatchObject({
      probability: 12.5,
      min_investment: 12_500.5,
      send_email: true,
      trackbox_password: '********',
      trackbox_custom_mapping: { MPC_1: 'clickId' },
      decision_days: 10,
      default_decision: 'approve',
      claim_quota_percent: 15,
    });
  });

  it('hides the replacement template of postpay buyers, changes the ID, and sets opening hours', async () => {
    await page.goto('/dashboard?inactive=1');
    await press(page, 'Edit third');
    const form = dialog(page, 'Edit Buyer third');
    await unfold(form, 'Replacement leads', 'Hours');
    await sees(form.getByLabel('E-mail template for replacement leads'));
    await form.getByLabel('Buyer type').selectOption('postpay');
    await form.getByLabel('E-mail template for replacement leads').waitFor({ state: 'detached' });
    await form.getByLabel('Only deliver leads at certain hours').check();
    const to = form.getByRole('textbox', { name: 'To', exact: true });
    await fill(form, { 'Buyer ID': 'third-renamed', From: '9:00' });
    await to.fill('8:00');
    await press(form, 'Save Changes');
    await sees(form.getByText('The end must be after the start'));
    await to.fill('24:00');
    await form.getByLabel('Sat', { exact: true }).check();
    await press(form, 'Save Changes');
    await seesMessage(page, 'Buyer third-renamed saved');
    expect(await buyer('third-renamed')).toMatchObject({
      buyer_type: 'postpay',
      trackbox_username: 'user',
      schedule: { weekdays: [1, 2, 3, 4, 5, 6], from: '09:00', to: '24:00', holidays_off: true },
    });
  });

  it('requires a confirmation before 100% sets all others to 0%', async () => {
    const form = await openForm('Edit second', 'Edit Buyer second');
    await fill(form, { Probability: '100' });
    await press(form, 'Save Changes');
    await press(dialog(page, 'All leads to one buyer'), 'Cancel');
    expect((await buyer('second')).probability).toBe(20);
    await press(form, 'Save Changes');
    await agree(page, 'All leads to one buyer', /all other active buyers to 0%/, 'Set to 100%');
    await form.waitFor({ state: 'detached' });
    expect((await buyer('second')).probability).toBe(100);
    expect((await buyer('first')).probability).toBe(0);
  });
});

describe('orders', () => {
  const first = () => inTable('first@example.com');
  const change = async (values: Readonly<Record<string, string>>) => {
    const form = await openForm(inMenu('Change lead limit of first'), 'Lead limit of first');
    await unfold(form, 'Pace');
    await fill(form, values);
    await press(form, 'Save');
    return form;
  };

  it('show a new limit immediately, and the old one with an error if it is rejected', async () => {
    await page.route('**/api/admin/first', (route) => route.fulfill({ status: 409, body: 'no json' }));
    const release = await hold(page, '**/api/admin/first');
    await change({ 'Lead limit': '9' });
    await sees(first().getByText('1 / 9'));
    release();
    await sees(page.locator('[data-rolled-back]'));
    await seesBanner(page, 'Failed to update order limit');
    await sees(first().getByText('1 / 2'));
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('respect their daily cap, and further leads wait for the next day', async () => {
    const form = await change({ 'Lead limit': 'none', 'Leads per day': 'many' });
    await seesTexts(form, 'Invalid lead limit', 'Enter a whole number from 1, or leave empty');
    await fill(form, { 'Lead limit': '5', 'Leads per day': '1', 'Leads per week': '20' });
    await press(form, 'Save');
    await sees(first().getByText('1 / 5'));
    await sees(first().getByText(/^paused until \w+ 00:00 · today 1 of 1 · week 1 of 20$/));
    await expect.poll(async () => (await buyer('first')).lead_limit).toBe(5);
    await changeBuyer(site.cloud, 'second', { probability: 20, active: 0 });
    await changeBuyer(site.cloud, 'first', { probability: 60 });
    await addLead(site.cloud);
    await page.goto('/dashboard/ineligible-leads');
    await sees(page.getByText(/^next opening \w+ 00:00$/));
    await changeBuyer(site.cloud, 'second', { active: 1 });
  });

  it('can be listed, commented, deleted and restored, and have a link that can be turned off', async () => {
    const history = await openForm('View orders of first', 'Orders for buyer first');
    const order = history.getByRole('row').filter({ hasText: 'Order ID 1' });
    await sees(order.getByText('Active'));
    expect(await history.getByRole('button', { name: 'Restore last deleted order' }).count()).toBe(0);

    await press(history, 'Comments of order 1');
    await fill(dialog(page, 'Order Comments #1'), { Comments: 'Nur vormittags\nanrufen' });
    await press(dialog(page, 'Order Comments #1'), 'Save');
    await seesMessage(page, 'Comments saved');
    await sees(order.getByText(/Nur vormittags/));

    await press(history, 'Delete order 1');
    await agree(page, 'Delete order', /Delete order 1\?/, 'Delete');
    await sees(order.getByText('Deleted'));
    await press(history, 'Restore last deleted order');
    await seesMessage(page, 'Order 1 restored');
    await sees(order.getByText('Active'));

    const shown = dialog(page, 'New link for first');
    await press(order, 'Regenerate link of order 1');
    await agree(page, 'Regenerate link', /The old link stops working/, 'Regenerate');
    await press(shown, 'Done');
    await press(order, 'Turn off link of order 1');
    await agree(page, 'Turn off link', /It stops working permanently/, 'Turn off');
    await seesMessage(page, 'Link of order 1 turned off');
    await sees(order.getByText('Off', { exact: true }));
    expect(await order.getByRole('button', { name: 'Copy link' }).count()).toBe(0);
    await press(order, 'Turn on link of order 1');
    await press(shown, 'Done');
    await sees(order.getByRole('button', { name: 'Copy link' }));
  });

  it('can take over the buyer’s balance of replacements, which the ledger shows', async () => {
    const { admin } = site.cloud;
    // An approved claim of a prepay buyer without an order goes to its balance.
    await addBuyer(site.cloud, { buyer_id: 'owed', probability: 1 }, 3);
    const claimId = await addClaim(site.cloud, 'owed');
    await admin.ok('deleteOrder', { params: { buyerId: 'owed', orderId: 3 } });
    await admin.ok('approveClaim', { params: { claimId }, body: {} });

    const form = await openForm('Create Order', 'Create New Order');
    await form.getByLabel('Buyer').selectOption('owed');
    await form.getByRole('checkbox', { name: 'Use balance (1 available)' }).check();
    await fill(form, { 'Lead limit': '2', 'Balance amount': '2' });
    await press(form, 'Create Order');
    await sees(form.getByText('Must be a whole number from 1 to 1'));
    await fill(form, { 'Balance amount': '1' });
    await press(form, 'Create Order');
    await press(dialog(page, 'New link for owed'), 'Done');
    expect(await buyer('owed')).toMatchObject({ reimbursement_pending: 1, balance_count: 0 });

    await press(page, 'View orders of owed');
    await page.getByRole('link', { name: /^Replacements/ }).click();
    await sees(page.getByText('1 replacement owed, 0 of them in the balance.'));
    const ledger = page.getByRole('table', { name: 'Replacements of buyer owed' });
    const cells = async (which: number) =>
      (await ledger.getByRole('row').nth(which).getByRole('cell').allTextContents()).slice(1);
    expect(await cells(1)).toEqual([
      '1 replacement from the balance to the new order',
      '4',
      '–',
      '–',
      '0',
      '1',
    ]);
    expect(await cells(2)).toEqual(['Claim approved, credited to the balance', '–', '#1', '–', '1', '1']);
    const replacing = await addLead(site.cloud, { buyer_id: 'owed' });
    await page.clock.fastForward(REFRESHED_WITHIN_MS);
    await ledger.getByRole('link', { name: `Show lead ${replacing.lead_id}` }).click();
    await sees(page.getByText('Replacement lead', { exact: true }));
  });
});

it('deleting a buyer moves it to the inactive buyers', async () => {
  await home(page);
  await rowAction(page, 'Delete second');
  const question = dialog(page, 'Delete buyer');
  await question.getByRole('checkbox', { name: 'Turn off the links of all its orders' }).check();
  await agree(page, 'Delete buyer', /Its orders and leads stay/, 'Delete');
  await seesMessage(page, 'Buyer second deleted');
  await inTable('second@example.com').waitFor({ state: 'detached' });
  const { buyers } = await site.cloud.admin.ok('listBuyers');
  expect(buyers.find(({ buyer_id }) => buyer_id === 'second')).toMatchObject({
    deleted: true,
    excel_link: null,
  });
  await page.getByRole('switch', { name: 'Show inactive buyers' }).check();
  await sees(inTable('second@example.com').getByText('deleted'));
  expect(await page.getByRole('button', { name: 'Edit second' }).count()).toBe(0);
});

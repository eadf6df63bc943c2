/** What an admin sees first, in figures. */
import { describe, expect, it } from 'vitest';
import { addBuyer, buyerOf, dialog, fill, press, TEMPLATE, unfold } from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';
import { bottomOf, sized, topOf, visibleFields } from '#test/e2e/measures';

const site = setUpSite(async () => {
  await site.cloud.admin.ok('createEmailTemplate', { body: TEMPLATE });
  await addBuyer(site.cloud, { buyer_id: 'first', probability: 40 });
});

describe('the buyer form', () => {
  it('asks for five things and how leads arrive, which fit 800 px', async () => {
    const { page } = await site.visitAsAdmin();
    await sized(page, 1280, 800);
    await press(page, 'Add Buyer');
    const form = dialog(page, 'Add New Buyer');
    await form.getByLabel('Buyer email').waitFor();
    // The five, and the e-mail switch with its template.
    expect(await visibleFields(form)).toBe(7);
    expect(await form.getByLabel('E-mail template').first().inputValue()).not.toBe('');
    expect(await form.getByLabel('Custom Data Mapping').isVisible()).toBe(false);
    expect(await bottomOf(form.getByLabel('E-mail template').first())).toBeLessThan(
      await topOf(form.getByRole('button', { name: 'Cancel' })),
    );
  });

  it('says in one line what a closed group contains, and opens it without moving the buttons', async () => {
    const { page } = await site.visitAsAdmin();
    await sized(page, 1280, 800);
    await press(page, 'Edit first');
    const form = dialog(page, 'Edit Buyer first');
    const footer = form.getByRole('button', { name: 'Save Changes' });
    const claims = form.locator('summary', { hasText: 'not reachable from day 5' });
    expect(await claims.textContent()).toBe('Claims7 days, not reachable from day 5');
    const before = await topOf(footer);
    await claims.click();
    await fill(form, { 'Maximum claim days': '9' });
    expect(await claims.textContent()).toBe('Claims9 days, not reachable from day 5');
    expect(await topOf(footer)).toBe(before);
    await claims.click();
    expect(await topOf(footer)).toBe(before);
  });

  it('opens the group of an invalid value', async () => {
    const { page } = await site.visitAsAdmin();
    await press(page, 'Edit first');
    const form = dialog(page, 'Edit Buyer first');
    const days = form.getByLabel('Maximum claim days');
    await unfold(form, 'Claims');
    await days.fill('99');
    await unfold(form, 'Claims');
    await days.waitFor({ state: 'hidden' });
    await press(form, 'Save Changes');
    await days.waitFor();
    await expect.poll(() => days.evaluate((it) => it.matches(':focus'))).toBe(true);
  });
});

describe('the order dialog', () => {
  it('asks for a buyer and a limit', async () => {
    const { page } = await site.visitAsAdmin();
    await press(page, 'Create Order');
    const form = dialog(page, 'Create New Order');
    await form.getByLabel('Lead limit').waitFor();
    expect(await visibleFields(form)).toBe(2);
  });

  it('changes or deletes the open order of its buyer, and cannot be sent before', async () => {
    const { page } = await site.visitAsAdmin();
    await press(page, 'Create Order');
    const form = dialog(page, 'Create New Order');
    await form.getByLabel('Buyer').selectOption('first');
    const create = form.getByRole('button', { name: 'Create Order' });
    expect(await create.isDisabled()).toBe(true);
    await press(form, 'Change limit');
    const limit = dialog(page, 'Lead limit of first');
    await limit.getByLabel('Lead limit').fill('12');
    await press(limit, 'Save');
    await expect.poll(async () => (await buyerOf(site.cloud, 'first')).lead_limit).toBe(12);
    await press(form, 'Delete order');
    await press(dialog(page, 'Delete order'), 'Delete');
    await expect.poll(() => create.isDisabled()).toBe(false);
    await press(form, 'Create Order');
    await dialog(page, 'New link for first').waitFor();
  });
});

/** Pausing with Undo, and the weight editor. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  addBuyer,
  changeBuyer,
  dialog,
  fill,
  home,
  row,
  rowAction,
  sees,
  seesMessage,
} from '#test/e2e/admin-setup';
import { accessibilityProblems, setUpSite } from '#test/e2e/fixture';

const TOTAL = 'Total probability cannot exceed 100%. Please adjust the value.';

let page: Page;
const site = setUpSite(async () => {
  await addBuyer(site.cloud, { buyer_id: 'north', probability: 60 });
  await addBuyer(site.cloud, { buyer_id: 'south', probability: 40 });
  await addBuyer(site.cloud, { buyer_id: 'new-one', probability: 0 }, 0);
  ({ page } = await site.visitAsAdmin());
});

async function probabilities(): Promise<Record<string, number>> {
  const { buyers } = await site.cloud.admin.ok('listBuyers');
  return Object.fromEntries(buyers.map(({ buyer_id, probability }) => [buyer_id, probability]));
}

async function openEditor(page: Page) {
  await page.getByRole('button', { name: 'Edit probabilities' }).click();
  const editor = dialog(page, 'Probabilities');
  await sees(editor.getByRole('table', { name: 'Probabilities' }));
  return editor;
}

it('pausing a buyer keeps it visible and marked until the page is reloaded, and Undo resumes it', async () => {
  await home(page);
  const paused = row(page, 'Buyers and orders', 'south@example.com').getByText('Paused', { exact: true });
  await rowAction(page, 'Pause south');
  await seesMessage(page, 'Buyer south paused: it gets no leads');
  await sees(paused);
  await page.getByLabel('Messages').getByRole('button', { name: 'Undo' }).click();
  await seesMessage(page, 'Buyer south resumed');
  await paused.waitFor({ state: 'detached' });

  await rowAction(page, 'Pause south');
  await sees(paused);
  await page.clock.fastForward(9000);
  await sees(page.getByLabel('Messages').getByRole('button', { name: 'Undo' }));
  await page.clock.fastForward(2000);
  await page.getByLabel('Messages').getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
  await sees(paused);
  await page.reload();
  await sees(page.getByRole('button', { name: 'Edit north' }));
  expect(await page.getByRole('button', { name: 'Edit south' }).count()).toBe(0);
  await changeBuyer(site.cloud, 'south', { active: 1 });
});

it('the newer of two messages about the same buyer replaces the older one', async () => {
  await home(page);
  const messages = page.getByLabel('Messages');
  await rowAction(page, 'Pause south');
  await seesMessage(page, 'Buyer south paused: it gets no leads');
  await rowAction(page, 'Pause north');
  await seesMessage(page, 'Buyer north paused: it gets no leads');
  await rowAction(page, 'Resume south');
  await seesMessage(page, 'Buyer south resumed');
  expect(await messages.getByRole('button', { name: 'Undo' }).count()).toBe(2);
  await rowAction(page, 'Resume north');
  await seesMessage(page, 'Buyer north resumed');
  expect(await messages.getByText(/paused/).count()).toBe(0);
});

describe('the probability editor', () => {
  it('gives a new buyer its share, always shows the sum, and distributes the rest proportionally', async () => {
    await home(page);
    const editor = await openEditor(page);
    await sees(editor.getByText('Sum 100% of 100%'));
    await editor.getByLabel('Probability of new-one').fill('25');
    await sees(editor.getByText('Sum 125% of 100%'));
    await sees(editor.getByRole('alert').getByText(TOTAL));
    expect(await editor.getByRole('button', { name: 'Save Probabilities' }).isDisabled()).toBe(true);
    expect(await accessibilityProblems(page)).toEqual([]);
    await editor.getByRole('button', { name: 'Distribute the rest proportionally' }).click();
    expect(await editor.getByLabel('Probability of north').inputValue()).toBe('45');
    expect(await editor.getByLabel('Probability of south').inputValue()).toBe('30');
    await sees(editor.getByText('Sum 100% of 100%'));
    await editor.getByRole('button', { name: 'Save Probabilities' }).click();
    await seesMessage(page, 'Probabilities saved');
    await editor.waitFor({ state: 'detached' });
    expect(await probabilities()).toEqual({ north: 45, south: 30, 'new-one': 25 });
    await sees(row(page, 'Buyers and orders', 'north@example.com').getByText('45%'));
  });

  it('shows next to the field that another admin has changed it, and keeps the typed value', async () => {
    await home(page);
    const editor = await openEditor(page);
    await fill(editor, { 'Probability of north': '40', 'Probability of south': '35' });
    await changeBuyer(site.cloud, 'south', { probability: 20 });
    await editor.getByRole('button', { name: 'Save Probabilities' }).click();
    await sees(editor.getByText('Another admin has set it to 20%. Save again to keep your value.'));
    expect(await probabilities()).toMatchObject({ north: 45, south: 20 });
    await editor.getByRole('button', { name: 'Save Probabilities' }).click();
    await seesMessage(page, 'Probabilities saved');
    expect(await probabilities()).toMatchObject({ north: 40, south: 35 });
  });
});

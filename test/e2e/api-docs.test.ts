/** The page that shows the API's document. */
import { expect, it } from 'vitest';
import { accessibilityProblems, setUpSite } from '#test/e2e/fixture';

const site = setUpSite();

it('the page of the API document is for admins only', async () => {
  const { page } = await site.visit('/api/docs');
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
});

it('the page of the API document shows every call, and the request and answers of an opened one', async () => {
  const { page } = await site.visitAsAdmin('/robots.txt');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto('/api/docs');
    await page.getByRole('heading', { name: /^Lead distribution/ }).waitFor();
    await page.getByRole('heading', { name: 'orders' }).click();
    await page.getByText('Create an order for a buyer').click();
    await page.getByText(/refused before it reaches the API has no body/).waitFor();
    expect(await accessibilityProblems(page), colorScheme).toEqual([]);
  }
});

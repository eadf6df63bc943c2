/** The page that shows the API's document. */
import { it } from 'vitest';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import { setUpSite } from '#test/e2e/fixture';

const site = setUpSite();

it('the page of the API document shows every call, and the request and answers of an opened one', async () => {
  const { page } = await site.visitAsAdmin('/robots.txt');
  await page.goto('/api/docs');
  await page.getByRole('heading', { name: /^Lead distribution/ }).waitFor();
  await page.getByRole('heading', { name: 'orders' }).click();
  await page.getByText('Create an order for a buyer').click();
  await page.getByText(/refused before it reaches the API has no body/).waitFor();
  await expectAccessible(page);
});

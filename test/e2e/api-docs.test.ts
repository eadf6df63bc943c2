/** The page with the API document. */
import { it } from 'vitest';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import { setUpSite } from '#test/e2e/fixture';

const site = setUpSite();

it('the API document page shows every call, with request and answers when opened', async () => {
  const { page } = await site.visitAsAdmin('/robots.txt');
  await page.goto('/api/docs');
  await page.getByRole('heading', { name: /^Lead distribution/ }).waitFor();
  await page.getByRole('heading', { name: 'orders' }).click();
  await page.getByText('Create an order for a buyer').click();
  await page.getByText(/refused before it reaches the API has no body/).waitFor();
  await expectAccessible(page);
});

/** What an admin changed when the connection is lost, the server fails, or the tab is closed. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addBuyer, addClaim, agree, dialog, row, sees, seesBanner } from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';

const site = setUpSite(async () => {
  await addBuyer(site.cloud, { buyer_id: 'acme', probability: 30 }, 10);
  await site.cloud.admin.ok('createPushoverCredential', {
    body: { user_key: 'u'.repeat(30), app_key: 'a'.repeat(30) },
  });
});

/** From now on no call is answered well: neither the change nor what is read again after it. */
const FAILURES: readonly (readonly [string, (page: Page) => Promise<unknown>])[] = [
  ['the network is lost', (page) => page.route('**/api/**', (route) => route.abort())],
  [
    'the server answers 500',
    (page) => page.route('**/api/**', (route) => route.fulfill({ status: 500, body: 'no json' })),
  ],
];

const inTable = (page: Page) => row(page, 'Buyers and orders', 'acme@example.com');

describe.each(FAILURES)('when %s', (_, fail) => {
  const visitOf = async (path?: string) => {
    const { page, close } = await site.visitAsAdmin(path);
    onTestFinished(close);
    return page;
  };

  it('a deleted buyer is in the table again', async () => {
    const page = await visitOf();
    await page.getByRole('button', { name: 'Delete acme' }).click();
    await sees(dialog(page, 'Delete buyer'));
    await fail(page);
    await agree(page, 'Delete buyer', /Delete buyer acme\?/, 'Delete');
    await seesBanner(page, 'Failed to delete buyer');
    await sees(inTable(page));
    await sees(page.getByRole('button', { name: 'Delete acme' }));
  });

  it('a switch of push notifications stands as it is stored', async () => {
    const page = await visitOf('/dashboard/settings');
    const toggle = page.getByRole('switch', { name: /of claims$/ });
    expect(await toggle.isChecked()).toBe(false);
    await fail(page);
    await toggle.click();
    await seesBanner(page, 'Failed to update Pushover credentials');
    await expect.poll(() => toggle.isEnabled()).toBe(true);
    expect(await toggle.isChecked()).toBe(false);
  });
});

/**
 * Between browser and product: holds so many decisions of claims until they are let go, and passes none on that the browser
 * has given up meanwhile. A connection as slow as a phone's.
 */
async function slowNetwork(decisions: number) {
  let [letGo, arrived] = [() => {}, () => {}];
  const released = new Promise<void>((resolve) => (letGo = resolve));
  const came = new Promise<void>((resolve) => (arrived = resolve));
  let held = 0;
  const server = createServer(async (incoming, answer) => {
    const { url = '', method, headers } = incoming;
    if (method === 'POST' && url.includes('/api/lead-claims/admin/')) {
      held += 1;
      if (held === decisions) arrived();
      await released;
      if (answer.destroyed) return;
    }
    incoming.pipe(
      request(url, { method, headers }, (from) => {
        answer.writeHead(from.statusCode ?? 502, from.headers);
        from.pipe(answer);
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, came, letGo };
}

it('decisions that can still be undone reach the server although their tab is closed, however slow the network', async () => {
  const [approved, rejected] = [await addClaim(site.cloud, 'acme'), await addClaim(site.cloud, 'acme')];
  const network = await slowNetwork(2);
  const { page: loggedIn, close } = await site.visitAsAdmin();
  const context = await site.browser.newContext({
    baseURL: site.cloud.url,
    // A browser reaches this machine directly, unless it is told not to.
    proxy: { server: network.url, bypass: '<-loopback>' },
  });
  onTestFinished(() => context.close());
  await context.addCookies(await loggedIn.context().cookies());
  await close();
  const page = await context.newPage();
  await page.goto('/dashboard/claimed-leads?view=inbox');
  for (const [claimId, key, word] of [
    [approved, 'a', 'approved'],
    [rejected, 'r', 'rejected'],
  ] as const) {
    await row(page, 'Pending claims', `#${claimId} ·`).getByRole('button').click();
    await page.getByRole('region', { name: `Claim ${claimId}`, exact: true }).focus();
    await page.keyboard.press(key);
    await sees(page.getByText(`Claim #${claimId} ${word}`));
  }
  await page.close({ runBeforeUnload: true });
  await network.came;
  // By the answer to a later call the browser has given up what it does not keep.
  await (await context.newPage()).goto('/robots.txt');
  network.letGo();
  const statuses = async () => {
    const { claims } = await site.cloud.admin.ok('listClaims', { query: {} });
    return [approved, rejected].map((id) => claims.find(({ claim_id }) => claim_id === id)?.claim_status);
  };
  await expect.poll(statuses).toEqual(['approved', 'rejected']);
});

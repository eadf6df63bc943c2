/**
 * The frame of every page: the bar of a server that does not answer, the menu, the colours of cards, the focus,
 * messages, and what moves while a page loads.
 */
import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  addBuyer,
  addLead,
  buyerOf,
  dialog,
  fill,
  follow,
  hasFocus,
  hold,
  home,
  press,
  row,
  rowAction,
  sees,
  seesTexts,
  unfold,
} from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';
import { openOrder } from '#test/harness/cloud';

let page: Page;
let leadList = '';
let lead = '';
const site = setUpSite(async () => {
  await addBuyer(site.cloud, { buyer_id: 'alpha', probability: 40 }, 5);
  await addBuyer(site.cloud, { buyer_id: 'beta', probability: 0 }, 0);
  const order = await openOrder(site.cloud.admin, { buyer_id: 'gamma', buyer_email: 'gamma@example.com' }, 5);
  leadList = new URL(order.excel_link).pathname;
  ({ lead_id: lead } = await addLead(site.cloud, { buyer_id: 'gamma', nachname: 'Erste' }));
  ({ page } = await site.visitAsAdmin());
});

/** Longer than the longest pause between two checks. */
const PAUSE_MS = 31_000;

/** No call is answered, and the browser believes it is online. */
async function stopServer(on: Page): Promise<void> {
  await on.route('**/api/**', (route) => route.abort());
  expect(await on.evaluate('navigator.onLine')).toBe(true);
}

async function startServer(on: Page): Promise<void> {
  await on.unrouteAll();
  await on.clock.fastForward(PAUSE_MS);
}

const bar = (on: Page, label = 'Connection') => on.getByRole('status', { name: label });
const banners = (on: Page) => on.getByLabel('Errors').getByRole('button', { name: 'Dismiss' });

/** Waits until the bar is shown. */
async function seesBar(on: Page, text: RegExp, label?: string): Promise<void> {
  await on.clock.fastForward(5000);
  await sees(bar(on, label).getByText(text));
}

describe('while the server does not answer', () => {
  beforeEach(async () => {
    await page.unrouteAll();
    await home(page);
  });

  it('one bar says since when, on every screen, without banners, and goes away with fresh data', async () => {
    await page.waitForLoadState('networkidle');
    await page.clock.setSystemTime('2027-03-01T13:05:10Z');
    await stopServer(page);
    await seesBar(page, /^Cannot reach the server since 14:05\./);
    for (const screen of ['Pending Leads', 'Claimed Leads', 'Buyer Statistics', 'Settings', 'Dashboard']) {
      await page.getByLabel('Main menu').getByRole('link', { name: screen }).click();
      await sees(bar(page).getByText(/since 14:05\./));
    }
    expect(await banners(page).count()).toBe(0);

    // Only the checks go on, ever more rarely, once the last retries have failed.
    const paths: string[] = [];
    page.on('request', (request) => paths.push(new URL(request.url()).pathname));
    await expect
      .poll(async () => {
        paths.length = 0;
        await page.clock.fastForward(PAUSE_MS);
        return new Set(paths);
      })
      .toEqual(new Set(['/api/check-auth']));
    paths.length = 0;
    for (let seconds = 0; seconds < 120; seconds += 5) await page.clock.fastForward(5000);
    expect(new Set(paths)).toEqual(new Set(['/api/check-auth']));
    expect(paths.length).toBeLessThanOrEqual(6);
    page.removeAllListeners('request');

    await addLead(site.cloud, { buyer_id: 'alpha' });
    await startServer(page);
    await bar(page)
      .getByText(/Cannot reach/)
      .waitFor({ state: 'detached' });
    await sees(row(page, 'Buyers and orders', 'alpha@').getByText('1 / 5'));
  });

  it('the button of the bar checks at once', async () => {
    await stopServer(page);
    await seesBar(page, /Cannot reach/);
    // Otherwise a check or a repeated call could be answered before the button is pressed.
    await page.clock.pauseAt(Number(await page.evaluate('Date.now()')) + 1000);
    await sees(bar(page).getByText(/Cannot reach/));
    await page.unrouteAll();
    await press(bar(page), 'Try now');
    await bar(page)
      .getByText(/Cannot reach/)
      .waitFor({ state: 'detached' });
    await page.clock.resume();
  });

  it('a gateway that answers 503 is the same', async () => {
    await page.route('**/api/**', (route) =>
      route.fulfill({ status: 503, json: { message: 'Service Unavailable' } }),
    );
    await seesBar(page, /Cannot reach/);
    expect(await banners(page).count()).toBe(0);
    await startServer(page);
    await bar(page)
      .getByText(/Cannot reach/)
      .waitFor({ state: 'detached' });
  });

  it('one call that is not answered is no outage', async () => {
    await page.route('**/api/buyers', (route) => route.abort());
    await page.clock.fastForward(5000);
    await sees(page.getByLabel('Errors').getByText('Failed to load buyers'));
    expect(
      await bar(page)
        .getByText(/Cannot reach/)
        .count(),
    ).toBe(0);
  });

  it('a form keeps what was typed, says so inside, and can be saved later', async () => {
    await press(page, 'Edit alpha');
    const form = dialog(page, 'Edit Buyer alpha');
    await fill(form, { 'Buyer email': 'later@example.com', Probability: '35' });
    await stopServer(page);
    await press(form, 'Save Changes');
    await seesTexts(form.getByRole('alert'), 'Failed to edit buyer');
    await sees(form.getByText(/^The server did not answer\. Everything you entered is still here/));
    expect(await banners(page).count()).toBe(0);
    await seesBar(page, /Cannot reach/);
    expect(await form.getByLabel('Buyer email').inputValue()).toBe('later@example.com');
    expect(await form.getByLabel('Probability').inputValue()).toBe('35');

    await startServer(page);
    await press(form, 'Save Changes');
    await form.waitFor({ state: 'detached' });
    expect(await buyerOf(site.cloud, 'alpha')).toMatchObject({
      buyer_email: 'later@example.com',
      probability: 35,
    });
  });

  it('a new limit stays in its dialog', async () => {
    await rowAction(page, 'Change lead limit of alpha');
    const form = dialog(page, 'Lead limit of alpha');
    await fill(form, { 'Lead limit': '8' });
    await stopServer(page);
    await press(form, 'Save');
    await seesTexts(form.getByRole('alert'), 'Failed to update order limit');
    expect(await form.getByLabel('Lead limit').inputValue()).toBe('8');
    await startServer(page);
    await press(form, 'Save');
    await form.waitFor({ state: 'detached' });
    expect((await buyerOf(site.cloud, 'alpha')).lead_limit).toBe(8);
  });

  it('a dialog without fields says so too, and still does after a dialog above it', async () => {
    await press(page, 'View orders of gamma');
    const orders = dialog(page, /^Orders for buyer/);
    await press(orders, /^Turn off link of order/);
    await stopServer(page);
    await press(dialog(page, 'Turn off link'), 'Turn off');
    await seesTexts(orders.getByRole('alert'), 'The server did not answer. Try again once it answers.');
    await press(orders, /^Comments of order/);
    const comments = dialog(page, /^Order Comments/);
    await sees(comments);
    expect(await comments.getByRole('alert').count()).toBe(0);
    await page.keyboard.press('Escape');
    await comments.waitFor({ state: 'detached' });
    await seesTexts(orders.getByRole('alert'), 'The server did not answer. Try again once it answers.');
    await startServer(page);
  });

  it('the form of a new lead says so on its page', async () => {
    await page.goto('/dashboard/create-lead');
    await page.getByLabel('First name').fill('Erika');
    await fill(page, { 'Last name': 'Muster', Email: 'erika@example.com', Phone: '0151 99887766' });
    await fill(page, { 'Investment amount': '25000', Term: '12' });
    await stopServer(page);
    await press(page, 'Submit Lead');
    await seesTexts(page.getByRole('main').getByRole('alert'), 'Failed to submit lead');
    expect(await page.getByLabel('First name').inputValue()).toBe('Erika');
    await startServer(page);
  });
});

it('an order whose answer was lost is not created twice, even if it is full and the button pressed repeatedly', async () => {
  await page.unrouteAll();
  await home(page);
  await press(page, 'Create Order');
  const form = dialog(page, 'Create New Order');
  await form.getByLabel('Buyer').selectOption('beta');
  await fill(form, { 'Lead limit': '1' });
  await page.route('**/api/admin', async (route) => {
    await route.fetch();
    await addLead(site.cloud, { buyer_id: 'beta' });
    await route.abort();
  });
  await press(form, 'Create Order');
  await seesTexts(form.getByRole('alert'), 'Failed to create order');
  await page.unrouteAll();
  for (let pressed = 0; pressed < 3; pressed += 1) {
    await press(form, 'Create Order');
    await sees(page.getByText(/^Something was created since your first attempt/));
    await banners(page).first().click();
  }
  const { orders } = await site.cloud.admin.ok('listBuyerOrders', { params: { buyerId: 'beta' } });
  expect(orders.map(({ status }) => status)).toEqual(['Completed']);
});

describe('before the login', () => {
  it('the login page has the bar, and opens the session once the server answers', async () => {
    const { page: own } = await site.visitAsAdmin('/robots.txt');
    await stopServer(own);
    await own.goto('/dashboard');
    await sees(own.getByRole('button', { name: 'Log in' }));
    await seesBar(own, /^Cannot reach the server since/);
    await startServer(own);
    await own.waitForURL('**/dashboard');
    await sees(own.getByRole('table', { name: 'Buyers and orders' }));
  });

  it.each([
    ['/status', 'Connection', /^Cannot reach the server since/],
    ['/specification/unknown', 'Connection', /^Cannot reach the server since/],
    ['/erasure/unknown', 'Verbindung', /^Der Server ist seit .* nicht erreichbar/],
    ['/unsubscribe/unknown', 'Verbindung', /^Der Server ist seit .* nicht erreichbar/],
  ])('%s has the bar', async (path, label, text) => {
    const { page: own } = await site.visit('/robots.txt');
    await stopServer(own);
    await own.goto(path);
    await seesBar(own, text, label);
  });
});

describe('the buyer’s page', () => {
  it('says in German since when, keeps the list, and refreshes it', async () => {
    const { page: own } = await site.visit(leadList);
    await sees(own.getByText('Erste').first());
    await own.waitForLoadState('networkidle');
    await own.clock.setSystemTime('2027-03-01T13:05:10Z');
    await stopServer(own);
    await own.clock.fastForward(8000);
    await seesBar(own, /^Der Server ist seit 14:05 Uhr nicht erreichbar\./, 'Verbindung');
    await sees(own.getByText('Erste').first());
    await addLead(site.cloud, { buyer_id: 'gamma', nachname: 'Zweite' });
    await startServer(own);
    await bar(own, 'Verbindung')
      .getByText(/nicht erreichbar/)
      .waitFor({ state: 'detached' });
    await sees(own.getByText('Zweite').first());
  });

  it('a claim keeps its reason and text, and says in German what failed', async () => {
    const { page: own } = await site.visit(leadList);
    own.on('dialog', (alert) => void alert.accept());
    await own
      .getByRole('button', { name: /^Reklamieren/ })
      .first()
      .click();
    const form = own.getByRole('dialog');
    await form.getByLabel('Grund').selectOption('other');
    await form.getByLabel('Beschreibung').fill('Die Person kennt uns nicht und hat nie angefragt.');
    await stopServer(own);
    await form.getByRole('button', { name: 'Reklamation einreichen' }).click();
    await sees(form.getByText(/^Der Server ist nicht erreichbar\. Ihre Angaben bleiben erhalten/));
    expect(await form.getByLabel('Beschreibung').inputValue()).toMatch(/^Die Person kennt uns nicht/);
    await startServer(own);
  });
});

describe('the menu', () => {
  const entries = async (menu: Locator) =>
    (await menu.locator('a:visible, button:visible, summary:visible').allInnerTexts()).map(
      (text) => text.trim().split('\n')[0],
    );
  const DAILY = [
    'Dashboard',
    'Leads',
    'Pending Leads',
    'Claimed Leads',
    'Sources',
    'Create Lead',
    'Buyer Statistics',
    'Settings',
    'More',
  ];
  const MORE = ['What-if', 'Deliveries', 'Audit Trail', 'Data requests', 'Admins', 'API documentation'];

  it.each([
    ['on a desktop', { width: 1280, height: 800 }],
    ['on a phone', { width: 390, height: 844 }],
  ])('has the daily work, and one group with everything else, %s', async (_where, viewport) => {
    const { page: own } = await site.visitAsAdmin('/dashboard', { viewport });
    const open = async () => {
      if (viewport.width < 1000) await press(own, 'Open menu');
      const opened = own.getByRole('navigation', { name: 'Main menu' }).last();
      await sees(opened.getByText('Logout'));
      return opened;
    };
    const menu = await open();
    expect(await entries(menu)).toEqual([...DAILY, 'Logout']);
    await unfold(menu, 'More');
    expect(await entries(menu)).toEqual([...DAILY, ...MORE, 'Keyboard shortcuts', 'Logout']);
    await menu.getByRole('link', { name: 'Audit Trail' }).click();
    await sees(own.getByRole('heading', { level: 1, name: 'Audit Trail' }));

    // It is open on its own screens, also after a reload.
    await own.reload();
    expect(await entries(await open())).toEqual([...DAILY, ...MORE, 'Keyboard shortcuts', 'Logout']);
    await menu.getByRole('link', { name: 'Settings' }).click();
    await sees(own.getByRole('heading', { level: 1, name: 'Settings' }));
    expect(await entries(await open())).toEqual([...DAILY, 'Logout']);
  });

  it('shows the failed deliveries also while the group is closed', async () => {
    await page.unrouteAll();
    await page.route('**/api/admin/dashboard-stats', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        json: { ...(await answer.json()), failed_deliveries_count: 3 },
      });
    });
    await page.goto('/dashboard');
    const menu = page.getByRole('navigation');
    await sees(menu.locator('summary').getByLabel('3 failed deliveries'));
    await unfold(menu, 'More');
    await sees(menu.getByRole('link', { name: /^Deliveries/ }).getByLabel('3 failed deliveries'));
    expect(await menu.getByLabel('3 failed deliveries').locator('visible=true').count()).toBe(1);
    await page.unrouteAll();
  });
});

describe('in dark mode', () => {
  /**
   * The lowest contrast between the ground of the page and the surfaces on it, and their number. Surfaces are framed boxes
   * larger than a button; those on other surfaces do not count.
   */
  const SURFACES = `(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgbOf = (colour) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const luminance = (colour) => {
      const [red, green, blue] = rgbOf(colour)
        .slice(0, 3)
        .map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const colourOf = (it) => getComputedStyle(it).backgroundColor;
    const isOpaque = (it) => rgbOf(colourOf(it))[3] === 255;
    const below = (it) => (it.parentElement === null || isOpaque(it.parentElement) ? it.parentElement : below(it.parentElement));
    const main = document.querySelector('main');
    const ground = isOpaque(main) ? main : below(main);
    const contrasts = [...main.querySelectorAll('*')]
      .filter((it) => it.checkVisibility() && isOpaque(it) && below(it) === ground && it !== ground)
      .filter((it) => it.offsetHeight > 60 && it.offsetWidth > 150 && getComputedStyle(it).borderTopStyle === 'solid')
      .map((it) => [luminance(colourOf(it)), luminance(colourOf(ground))].sort((a, b) => b - a))
      .map(([light, dark]) => (light + 0.05) / (dark + 0.05));
    return { number: contrasts.length, lowest: Math.min(...contrasts) };
  })()`;
  /** Half as much was hardly visible on laptops: #242424 on #1f1f1f is 1.06. */
  const LEAST_CONTRAST = 1.15;

  it.each([
    '/dashboard',
    '/dashboard/claimed-leads',
    '/dashboard/create-lead',
    '/dashboard/stats',
    '/dashboard/settings',
    '/dashboard/audit',
    '/dashboard/admins',
    '/',
    'the buyer’s page',
  ])('cards stand out from the ground: %s', async (path) => {
    const options = { colorScheme: 'dark' } as const;
    const { page: own } = path.startsWith('/dashboard')
      ? await site.visitAsAdmin(path, options)
      : await site.visit(path === '/' ? path : leadList, options);
    await expect
      .poll(async () => (await own.evaluate<{ number: number }>(SURFACES)).number)
      .toBeGreaterThan(0);
    expect((await own.evaluate<{ lowest: number }>(SURFACES)).lowest).toBeGreaterThan(LEAST_CONTRAST);
  });
});

describe('the focus', () => {
  beforeEach(async () => {
    await page.unrouteAll();
    await home(page);
  });

  it.each([
    ['the palette', 'Control+k'],
    ['the list of shortcuts', '?'],
  ])('returns to where it was after %s', async (_what, key) => {
    const before = page.getByRole('button', { name: 'Edit gamma' });
    await before.focus();
    await page.keyboard.press(key);
    await sees(page.getByRole('dialog'));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await hasFocus(before);
  });

  it('returns to the button of a dialog after the dialog above it', async () => {
    await follow(page, ['View orders of gamma', /^Comments of order/]);
    await hasFocus(dialog(page, /^Order Comments/).getByLabel('Comments'));
    await page.keyboard.press('Escape');
    await dialog(page, /^Order Comments/).waitFor({ state: 'detached' });
    await hasFocus(dialog(page, /^Orders for buyer/).getByRole('button', { name: /^Comments of order/ }));
  });

  it('goes to the content if the button of a dialog is gone, such as that of an empty list', async () => {
    await page.goto('/dashboard/sources');
    await press(page, 'Add Source');
    const form = dialog(page, 'Add Source');
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Landing page');
    await fill(form, { 'Source value (src)': 'landing' });
    await press(form, 'Add Source');
    await sees(row(page, 'Sources', 'Landing page'));
    await hasFocus(page.getByRole('main'));
  });

  it('returns to a button that was disabled while it saved', async () => {
    const channel = {
      use_heroleads_api: true,
      heroleads_api_key: 'hero-key',
      heroleads_lead_type_id: '12',
    };
    await addBuyer(site.cloud, { buyer_id: 'tested', probability: 0, ...channel }, 0);
    await page.goto('/dashboard/buyers/tested/delivery');
    const test = page.getByRole('button', { name: 'Send a test lead' });
    const release = await hold(page, '**/deliveries/test/**');
    await test.click();
    await expect.poll(() => page.evaluate('document.activeElement === document.body')).toBe(true);
    release();
    await hasFocus(test);
  });

  it.each([
    ['acts', 'Pause gamma'],
    ['acts', 'Resume gamma'],
    ['opens a screen', 'Settings: Alerts'],
  ])('goes to the content after a command that %s, if nothing had it before: %s', async (_what, name) => {
    await page.goto('/dashboard');
    await page.getByRole('table', { name: 'Buyers and orders' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type(name);
    await page.getByRole('option', { name }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await hasFocus(page.getByRole('main'));
  });

  it('goes to the content of the screen that a command opens, and otherwise returns', async () => {
    const search = page.getByRole('button', { name: 'Search Ctrl K' });
    for (const [text, place] of [
      ['Pause gamma', search],
      ['Settings: Alerts', page.getByRole('main')],
    ] as const) {
      await search.click();
      await page.keyboard.type(text);
      await page.getByRole('option', { name: text }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await hasFocus(place);
    }
  });

  it('of a buyer’s dialog starts in its first field', async () => {
    const { page: own } = await site.visit(leadList);
    await own
      .getByRole('button', { name: /^Reklamieren/ })
      .first()
      .click();
    await hasFocus(own.getByRole('dialog').getByLabel('Grund'));
  });
});

describe('a message', () => {
  /** Of every message that is shown. */
  const LINES = `[...document.querySelectorAll('[aria-label=Errors] [title], [aria-label=Messages] [title]')]
    .map((it) => Math.round(it.offsetHeight / Number.parseFloat(getComputedStyle(it).lineHeight)))`;
  it('has at most three lines on a phone, also with a long name and a button', async () => {
    const { page: own } = await site.visitAsAdmin('/dashboard', { viewport: { width: 390, height: 844 } });
    const buyerId = `verm-${'a'.repeat(59)}`;
    const { message } = await site.cloud.admin.ok('createBuyer', {
      body: { buyer_id: buyerId, buyer_email: 'long@example.com', probability: 0, buyer_type: 'prepay' },
    });
    await own.clock.fastForward(5000);
    const answer = { message, buyer: await buyerOf(site.cloud, buyerId) };
    await own.route('**/api/buyers', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ json: answer }) : route.fallback(),
    );
    const form = dialog(own, 'Add New Buyer');
    await press(own, 'Add Buyer');
    await fill(form, { 'Buyer email': 'new@example.com' });
    await form.getByRole('switch', { name: 'Send e-mails' }).click();
    await press(form, /^Add Buyer$/);
    await sees(own.getByTitle(message));
    expect(Math.max(...(await own.evaluate<number[]>(LINES)))).toBeLessThanOrEqual(3);
    const action = await own.getByRole('button', { name: /^Create order for/ }).boundingBox();
    expect((action?.x ?? 0) + (action?.width ?? 0)).toBeLessThan(390 - 16);

    const error = `The first words. ${'More words that say the same again. '.repeat(10)}`;
    await own.route('**/api/buyers/*', (route) => route.fulfill({ status: 409, json: { error } }));
    await own.clock.fastForward(15_000);
    await rowAction(own, 'Pause alpha');
    await sees(own.getByTitle(error.trim()));
    expect(await own.evaluate(LINES)).toEqual([3]);
  });
});

describe('while a page loads', () => {
  const OBSERVE = `
    window.shifts = [];
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.shifts.push(shift.value);
    }).observe({ type: 'layout-shift', buffered: true });`;
  const PATHS = [
    '',
    '/leads',
    '/leads?period=30&status=assigned&claim=none',
    '/ineligible-leads',
    '/claimed-leads',
    '/claimed-leads?view=inbox',
    '/sources',
    '/create-lead',
    '/stats',
    '/settings',
    '/settings/templates',
    '/settings/push',
    '/settings/alerts',
    '/settings/webhooks',
    '/settings/retention',
    '/settings/status-page',
    '/deliveries?buyer=gamma',
    '/audit',
    '/admins',
    '/people',
    '/simulate',
    '/buyers/gamma',
    '/leads/:lead',
  ];

  it('hardly anything moves, on every page, on a desktop and on a phone', { timeout: 120_000 }, async () => {
    await site.cloud.admin.ok('createSource', { body: { name: 'Landing page', src: 'page' } });
    const paths = [...PATHS.map((one) => `/dashboard${one.replace(':lead', lead)}`), leadList, '/status'];
    const moved: [string, number, number][] = [];
    await Promise.all(
      [1280, 390].map(async (width) => {
        const { page: own } = await site.visitAsAdmin('/robots.txt', { viewport: { width, height: 844 } });
        await own.addInitScript(OBSERVE);
        // Every call takes its own time, so that each part of a page arrives alone.
        let calls = 0;
        await own.route('**/api/**', async (route) => {
          calls += 1;
          const answered = route.fetch().then((response) => route.fulfill({ response }));
          await (calls % 2 === 0 ? answered : own.evaluate(TWO_FRAMES).then(() => answered)).catch(
            () => undefined,
          );
        });
        for (const path of paths) {
          await own.goto(path);
          await own.waitForLoadState('networkidle');
          await own.evaluate(TWO_FRAMES);
          const sum = await own.evaluate<number>('window.shifts.reduce((total, one) => total + one, 0)');
          if (sum > 0.02) moved.push([path, width, sum]);
        }
      }),
    );
    expect(moved).toEqual([]);
  });

  const TWO_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
});

it.each([
  ['reports a failure', { status: 500, json: { message: 'Internal Server Error' } }],
  ['breaks off', { status: 200, contentType: 'application/json', body: '{"source":' }],
])('a stored source whose answer %s is not created twice', async (what, answer) => {
  const src = what.replace(/ .*/, '');
  await page.goto('/dashboard/sources');
  await press(page, 'Add Source');
  const form = dialog(page, 'Add Source');
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill(src);
  await fill(form, { 'Source value (src)': src });
  await page.route('**/api/sources', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fetch();
    return route.fulfill(answer);
  });
  await press(form, 'Add Source');
  await sees(banners(page).first());
  await page.unrouteAll();
  await press(form, 'Add Source');
  await sees(page.getByText(/^Something was created since your first attempt/));
  const sources = await site.cloud.admin.ok('listSources', {});
  expect(sources.filter((source) => source.src === src)).toHaveLength(1);
});

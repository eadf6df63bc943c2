/** Accessibility checks of the admin app: each screen in both colour schemes and at both widths. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { addBuyer, addClaim, addLead, closeDialogs, sees, TEMPLATE } from '#test/e2e/admin-setup';
import { accessibilityProblems, type Looking, type Site, type Visit } from '#test/e2e/fixture';

export interface Place {
  readonly name: string;
  readonly path: string;
  /** Text that is visible once the screen is loaded. */
  readonly ready: string;
  /** Opens a dialog on the screen. */
  readonly open?: (page: Page) => Promise<void>;
}

/** Creates data for all screens; returns a delivered lead. */
export async function furnish(site: Site): Promise<string> {
  const { admin } = site.cloud;
  await admin.ok('createEmailTemplate', { body: TEMPLATE });
  await admin.ok('createPushoverCredential', {
    body: { user_key: 'u'.repeat(30), app_key: 'a'.repeat(30), notify_lead_assignment: true },
  });
  await addBuyer(
    site.cloud,
    { buyer_id: 'alpha', probability: 50, price_per_lead: 45.5, use_sellanylead_api: true },
    20,
  );
  await addBuyer(site.cloud, { buyer_id: 'beta', probability: 30, buyer_type: 'postpay' }, 20);
  await addBuyer(site.cloud, { buyer_id: 'careful', probability: 20, manual_review: true }, 20);
  for (let number = 0; number < 8; number += 1) await addLead(site.cloud);
  const [approved] = [await addClaim(site.cloud, 'alpha'), await addClaim(site.cloud, 'beta')];
  await admin.ok('approveClaim', { params: { claimId: approved }, body: {} });
  const { lead_id } = await addLead(site.cloud, { buyer_id: 'alpha' });
  const { source } = await admin.ok('createSource', {
    body: { name: 'Landing page', src: 'page', per_day: 50 },
  });
  await admin.ok('createSourceKey', { params: { sourceId: source.source_id } });
  await site.cloud.settled();
  return lead_id;
}

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 900 };
const WIDER = { width: 1440, height: 900 };
/** A folder for pictures of everything that is checked, in every look (`npm run pictures`). */
const PICTURES = process.env['PICTURES'];
type Look = readonly ['light' | 'dark', typeof WIDE];
const LOOKS: readonly Look[] = [
  ['light', WIDE],
  ['dark', WIDE],
  ['dark', NARROW],
  ['light', NARROW],
  ...(PICTURES === undefined
    ? []
    : ([
        ['light', WIDER],
        ['dark', WIDER],
      ] as const)),
];
/** A dialog has the same parts at both widths. */
const LOOKS_OF_DIALOGS: readonly Look[] =
  PICTURES === undefined
    ? [
        ['light', WIDE],
        ['dark', NARROW],
      ]
    : LOOKS;
/** Rules that can fail in one colour scheme or width only. */
const COLOUR_AND_SIZE_RULES = [
  'color-contrast',
  'target-size',
  'scrollable-region-focusable',
  'aria-hidden-focus',
  'button-name',
  'link-name',
];

/** No screen has accessibility problems in any look, and none overflows horizontally. */
export async function expectUsable({ page }: Pick<Visit, 'page'>, places: readonly Place[]): Promise<void> {
  let here = '';
  for (const [index, { name, path, ready, open }] of places.entries()) {
    const inOrder = open === undefined ? LOOKS : LOOKS_OF_DIALOGS;
    // Changing the look takes longest, so each place starts with the previous look.
    const looks = index % 2 === 0 ? inOrder : inOrder.toReversed();
    for (const look of looks) {
      await takeOn(page, look);
      const isFirst = look === looks[0];
      if (isFirst) {
        if (here === path) await closeDialogs(page);
        else await page.goto(path);
        here = path;
        await sees(page.getByRole('main').getByText(ready).first());
        await open?.(page);
        if (open !== undefined)
          await expect.poll(() => page.evaluate(FOCUS), { message: name }).not.toMatch(/^Close$|outside/);
        expect(await page.evaluate(MISNAMED), name).toEqual([]);
        expect(await page.evaluate(SAME_NAMES), `${name}, in several rows`).toEqual([]);
      }
      await expectNoProblems(page, `${name} in ${look[0]} at ${look[1].width}`, {
        ...(!isFirst && { rules: COLOUR_AND_SIZE_RULES }),
        ...(open === undefined && { within: 'html' }),
      });
    }
  }
}

/** The focused element of the topmost dialog. */
const FOCUS = `(() => {
  const dialog = [...document.querySelectorAll('[role=dialog], [role=alertdialog], dialog[open]')].at(-1);
  const focused = document.activeElement;
  if (!dialog?.contains(focused)) return 'outside';
  return focused.ariaLabel ?? focused.innerText + ' ' + focused.tagName;
})()`;

/** A control's accessible name begins with its visible text, for speech input (WCAG 2.5.3), except for page numbers. */
const MISNAMED = `(() => {
  const written = (it) => it.innerText.trim().toLowerCase().replace(/\\s+/g, ' ');
  return [...document.querySelectorAll('button[aria-label], a[href][aria-label]')]
    .filter((it) => it.checkVisibility() && !/^\\d*$/.test(written(it)))
    .filter((it) => !it.ariaLabel.trim().toLowerCase().startsWith(written(it)))
    .map((it) => 'is called "' + it.ariaLabel + '", and reads "' + written(it) + '"');
})()`;

/** Controls of different rows have different names. */
const SAME_NAMES = `(() => {
  const controls = [...document.querySelectorAll('tbody button')].filter((it) => it.checkVisibility());
  const nameOf = (it) => (it.ariaLabel ?? it.innerText).trim().toLowerCase();
  const twice = controls.filter((it) =>
    controls.some((other) => other.closest('tr') !== it.closest('tr') && nameOf(other) === nameOf(it)),
  );
  return [...new Set(twice.map(nameOf))];
})()`;

async function expectNoProblems(page: Page, where: string, looking?: Looking): Promise<void> {
  if (PICTURES !== undefined)
    await page.screenshot({ path: join(PICTURES, `${where.replaceAll(/\W+/g, '-').slice(-60)}.png`) });
  // A loaded browser may still draw the layout of the former width.
  await expect.poll(() => accessibilityProblems(page, looking), { message: where }).toEqual([]);
  expect(await page.evaluate(SIDEWAYS), `${where} scrolls sideways`).toEqual([]);
}

/** How much the page or a dialog overflows horizontally. Tables may scroll internally. */
const SIDEWAYS = `[document.documentElement, ...document.querySelectorAll('[role=dialog]')]
  .map((it) => it.scrollWidth - it.clientWidth)
  .filter((width) => width > 0)`;

/**
 * The current page is accessible, and does not overflow horizontally. Its look is restored.
 * @param narrow also checks dark mode at phone width
 * @param everywhere checks every look
 */
export async function expectAccessible(
  page: Page,
  { narrow = false, everywhere = false } = {},
): Promise<void> {
  const size = page.viewportSize() ?? WIDE;
  await takeOn(page, ['light', size]);
  expect(await page.evaluate(MISNAMED), page.url()).toEqual([]);
  await expectNoProblems(page, `${page.url()} in light`);
  for (const look of everywhere ? LOOKS.slice(1) : [['dark', narrow ? NARROW : size] as const]) {
    await takeOn(page, look);
    await expectNoProblems(page, `${page.url()} in ${look[0]} at ${look[1].width}`, {
      rules: COLOUR_AND_SIZE_RULES,
    });
  }
  await takeOn(page, ['light', size]);
}

/** The app applies both without a reload. */
async function takeOn(page: Page, [colorScheme, viewport]: Look): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  const { width, height } = page.viewportSize() ?? {};
  if (width !== viewport.width || height !== viewport.height) await page.setViewportSize(viewport);
  if (page.url() === 'about:blank') return;
  // Pages without Mantine, such as the buyer's, apply it by CSS alone.
  const followed = `html:not(:has([class*=mantine-])), html[data-mantine-color-scheme=${colorScheme}]`;
  await page.locator(followed).waitFor({ state: 'attached' });
  // Running animations would distort the measurement.
  await page.evaluate(SKIP_ANIMATIONS);
}

const SKIP_ANIMATIONS = `(async () => {
  const painted = () => new Promise((done) => requestAnimationFrame(done));
  await painted();
  for (const it of document.getAnimations()) it.effect.getComputedTiming().endTime === Infinity ? it.pause() : it.finish();
  await painted();
})()`;

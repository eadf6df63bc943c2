/**
 * `npm run bench-page`: how fast the page behind a link is with 5,000 leads, compared with 10. Nothing is simulated: a
 * browser shows the page that the embedded cloud serves from the table.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { ensureWebBuild, WEB_ROOT } from '#local/web-build';
import { command, fail, run } from '#scripts/command';
import { type Advance, withProgress } from '#scripts/progress';
import { seedItems } from '#scripts/seed-data';
import { seedTable } from '#scripts/seed-table';
import { median } from '#test/bench/stage';
import { people } from '#test/factories/people';
import { launchBrowser } from '#test/harness/browser';
import { openOrder, startTestCloud, type TestCloud } from '#test/harness/cloud';

const LEADS = 5000;
const FEW = 10;
const VISITS = 9;
const BUDGET_MS = 1000;

interface Device {
  readonly name: string;
  readonly options: BrowserContextOptions;
  /** How many times slower than this machine. */
  readonly slowdown: number;
}

const DESKTOP: Device = { name: 'desktop', options: { viewport: { width: 1280, height: 800 } }, slowdown: 1 };
const PHONE: Device = {
  name: 'phone, 4x slower processor',
  options: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  slowdown: 4,
};

/** Medians of the page with many leads and with few: milliseconds, and transferred bytes. */
type Medians = ReadonlyMap<string, readonly [many: number, few: number]>;
const firstRowsOn = ({ name }: Device) => `first rows, ${name}, ms`;

async function measureBoth(folder: string): Promise<Medians> {
  const size = { buyers: 1, orders: 1, leads: LEADS };
  await seedTable(join(folder, 'table.db'), seedItems(size, new Date()));
  await ensureWebBuild();
  const cloud = await startTestCloud({ dataDir: folder, webRoot: WEB_ROOT });
  const browser = await launchBrowser();
  try {
    const { buyers } = await cloud.admin.ok('listBuyers');
    const paths = [new URL(buyers[0]?.excel_link ?? '').pathname, await orderWithFewLeads(cloud)];
    return await withProgress('visits', VISITS, (advance) => measure(cloud, browser, paths, advance));
  } finally {
    await browser.close();
    await cloud.stop();
  }
}

/** @returns the path of the order's page */
async function orderWithFewLeads(cloud: TestCloud): Promise<string> {
  const { buyer_id, excel_link: link } = await openOrder(
    cloud.admin,
    { buyer_id: 'few', probability: 0 },
    FEW,
  );
  for (const lead of people(FEW)) await cloud.admin.ok('createLead', { body: { ...lead, buyer_id } });
  return new URL(link).pathname;
}

/** Alternating, so that other load on the machine affects both pages. */
async function measure(
  cloud: TestCloud,
  browser: Browser,
  paths: readonly string[],
  advance: Advance,
): Promise<Medians> {
  const times = new Map<string, [number[], number[]]>();
  const add = (what: string, at: number, value: number) => {
    const both = times.get(what) ?? [[], []];
    both[at]?.push(value);
    times.set(what, both);
  };
  for (let visit = 0; visit < VISITS; visit += 1) {
    for (const [at, path] of paths.entries()) {
      const begin = performance.now();
      const bytes = await fetchAll(`${cloud.url}/api${path.replace('/leads/', '/leads-view/')}`);
      add('the call, ms', at, performance.now() - begin);
      add('its answer as it travels, bytes', at, bytes);
      for (const device of [DESKTOP, PHONE]) {
        const { page, close } = await open(browser, device);
        await page.goto(cloud.url + path);
        add(firstRowsOn(device), at, await page.evaluate<number>('firstRows'));
        if (visit === 0)
          add(`longest frame scrolling, ${device.name}, ms`, at, await page.evaluate<number>(SCROLL_THROUGH));
        await close();
      }
    }
    advance();
  }
  return new Map([...times].map(([what, [many, few]]) => [what, [median(many), median(few)]]));
}

/** @returns the transferred bytes */
async function fetchAll(address: string): Promise<number> {
  const answer = await fetch(address);
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`Answered with ${answer.status}`);
  return Number(answer.headers.get('content-length'));
}

/** `firstRows` is when the first row was painted, in milliseconds since the navigation began. */
const WATCH_ROWS = `
  globalThis.firstRows = new Promise((resolve) => {
    const look = () => {
      if (document.querySelector('[data-lead]') === null) requestAnimationFrame(look);
      else requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    };
    look();
  });
`;

/** Scrolls two screens per frame to the end and returns the longest time between two frames. */
const SCROLL_THROUGH = `
  new Promise((resolve) => {
    let longest = 0;
    let before;
    let still = 0;
    const step = (now) => {
      if (before !== undefined) longest = Math.max(longest, now - before);
      before = now;
      const from = scrollY;
      scrollBy(0, 2 * innerHeight);
      still = scrollY === from ? still + 1 : 0;
      if (still < 5) requestAnimationFrame(step);
      else resolve(longest);
    };
    requestAnimationFrame(step);
  })
`;

async function open(
  browser: Browser,
  device: Device,
): Promise<{ readonly page: Page; readonly close: () => Promise<void> }> {
  const context = await browser.newContext(device.options);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: device.slowdown });
  await page.addInitScript(WATCH_ROWS);
  return { page, close: () => context.close() };
}

async function bench(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lead-page-'));
  try {
    const medians = await measureBoth(folder);
    console.log(`load of the machine ${loadavg()[0]?.toFixed(1)}; medians`);
    for (const [what, [many, few]] of medians)
      console.log(`${what}: ${many.toFixed(1)} with ${LEADS} leads, ${few.toFixed(1)} with ${FEW}`);
    const [firstRows = Number.POSITIVE_INFINITY] = medians.get(firstRowsOn(DESKTOP)) ?? [];
    if (firstRows > BUDGET_MS) fail();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await run(
  command(
    'bench-page',
    `Measures the page behind a link in a browser, with ${LEADS} leads and with ${FEW}. Ends with 1 when the first rows take longer than ${BUDGET_MS} ms on a desktop.`,
  ).action(bench),
);

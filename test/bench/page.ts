/**
 * `npm run bench-page`: how fast the page behind a link is with 5,000 leads, compared with 10. Nothing is simulated: the
 * leads are in the table, the embedded cloud serves the page, and a browser shows it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { ensureWebBuild, WEB_ROOT } from '#local/web-build';
import { command, fail, run } from '#scripts/command';
import { type Advance, withProgress } from '#scripts/progress';
import { seedTable } from '#scripts/seed-table';
import { percentile } from '#test/bench/stage';
import { people } from '#test/factories/people';
import { launchBrowser } from '#test/harness/browser';
import { openOrder, startTestCloud, type TestCloud } from '#test/harness/cloud';

const LEADS = 5000;
const FEW = 10;
const CALLS = 9;
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

const DEVICES = [DESKTOP, PHONE] as const;

/** Milliseconds, and bytes as they travel. */
interface Measured {
  readonly call: number;
  readonly bytes: number;
  readonly firstRows: ReadonlyMap<Device, number>;
  readonly longestFrame: ReadonlyMap<Device, number>;
}

async function measureBoth(folder: string): Promise<{ many: Measured; few: Measured }> {
  await seedTable(join(folder, 'table.db'), { buyers: 1, orders: 1, leads: LEADS }, new Date());
  await ensureWebBuild();
  const cloud = await startTestCloud({ dataDir: folder, webRoot: WEB_ROOT });
  const browser = await launchBrowser();
  try {
    const { buyers } = await cloud.admin.ok('listBuyers');
    const long = new URL(buyers[0]?.excel_link ?? '').pathname;
    const short = await orderWithFewLeads(cloud);
    const [many, few] = await withProgress('visits', 2 * DEVICES.length * VISITS, (advance) =>
      measure(cloud, browser, [long, short], advance),
    );
    if (many === undefined || few === undefined) throw new Error('A page was not measured');
    return { many, few };
  } finally {
    await browser.close();
    await cloud.stop();
  }
}

/** @returns the path of its page */
async function orderWithFewLeads(cloud: TestCloud): Promise<string> {
  const { buyer_id, excel_link: link } = await openOrder(
    cloud.admin,
    { buyer_id: 'few', probability: 0 },
    FEW,
  );
  for (const lead of people(FEW)) await cloud.admin.ok('createLead', { body: { ...lead, buyer_id } });
  return new URL(link).pathname;
}

/** In turns, so that a change in what else the machine does meets both pages. */
async function measure(
  cloud: TestCloud,
  browser: Browser,
  paths: readonly string[],
  advance: Advance,
): Promise<readonly Measured[]> {
  const all = [];
  for (const path of paths) {
    const { median, last } = await timed(CALLS, () =>
      fetchAll(`${cloud.url}/api${path.replace('/leads/', '/leads-view/')}`),
    );
    all.push({
      path,
      call: median,
      bytes: last,
      times: new Map<Device, number[]>(),
      longestFrame: new Map<Device, number>(),
    });
  }
  for (const device of DEVICES)
    for (let visit = 0; visit < VISITS; visit += 1)
      for (const { path, times, longestFrame } of all) {
        const { page, close } = await open(browser, device);
        await page.goto(cloud.url + path);
        times.set(device, [...(times.get(device) ?? []), await page.evaluate<number>('firstRows')]);
        if (visit === 0) longestFrame.set(device, await page.evaluate<number>(SCROLL_THROUGH));
        await close();
        advance();
      }
  return all.map(({ call, bytes, times, longestFrame }) => ({
    call,
    bytes,
    firstRows: new Map([...times].map(([device, visits]) => [device, percentile(visits, 50)])),
    longestFrame,
  }));
}

/** @returns the bytes that travel */
async function fetchAll(address: string): Promise<number> {
  const answer = await fetch(address);
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`Answered with ${answer.status}`);
  return Number(answer.headers.get('content-length'));
}

/** One more than `times`, of which the first only warms up. */
async function timed<T>(times: number, work: () => Promise<T>): Promise<{ median: number; last: T }> {
  let last = await work();
  const all: number[] = [];
  for (let at = 0; at < times; at += 1) {
    const begin = performance.now();
    last = await work();
    all.push(performance.now() - begin);
  }
  return { median: percentile(all, 50), last };
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

/** Scrolls two screens at a time, frame by frame, to the end; the value is the longest time between two frames. */
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

function print(many: Measured, few: Measured): void {
  console.log(`load of the machine ${loadavg()[0]?.toFixed(1)}; medians`);
  console.log(`${''.padEnd(50)}${`${LEADS} leads`.padStart(14)}${`${FEW} leads`.padStart(14)}   ratio`);
  const line = (name: string, unit: string, a: number, b: number, digits = 0) => {
    const of = (value: number) => `${value.toFixed(digits)} ${unit}`.padStart(14);
    console.log(`${name.padEnd(50)}${of(a)}${of(b)}${(a / b).toFixed(1).padStart(8)}`);
  };
  line('the call', 'ms', many.call, few.call, 1);
  line('its answer as it travels', 'KB', many.bytes / 1000, few.bytes / 1000, 1);
  for (const [device, time] of many.firstRows)
    line(`first rows, ${device.name}`, 'ms', time, few.firstRows.get(device) ?? 0);
  for (const [device, time] of many.longestFrame)
    line(`longest frame scrolling, ${device.name}`, 'ms', time, few.longestFrame.get(device) ?? 0);
}

async function bench(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lead-page-'));
  try {
    const { many, few } = await measureBoth(folder);
    print(many, few);
    if ((many.firstRows.get(DESKTOP) ?? Number.POSITIVE_INFINITY) > BUDGET_MS) fail();
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

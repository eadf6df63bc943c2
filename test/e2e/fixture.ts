/**
 * The product with its web app, and a real browser. Every file has its own product and pages; the browser is reused by the
 * files of a process.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Cookie, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, TestRunner } from 'vitest';
import { ensureWebBuild, WEB_ROOT } from '#local/web-build';
import { launchBrowser } from '#test/harness/browser';
import { ADMIN, startTestCloud, type TestCloud } from '#test/harness/cloud';
import { NO_ENGINE_NAMED } from '#test/harness/memory-table';

export interface Visit {
  /** Its clock runs and can be advanced with `page.clock.fastForward`. */
  readonly page: Page;
  /** Visits are closed when their test ends. */
  readonly close: () => Promise<void>;
}

export interface VisitOptions extends BrowserContextOptions {
  /** With an empty browser cache. */
  readonly fresh?: boolean;
}

export interface Site {
  readonly cloud: TestCloud;
  readonly browser: Browser;
  /** A page with its own cookies, on `path` (default `/`). */
  visit(path?: string, options?: VisitOptions): Promise<Visit>;
  /** The same with an admin's session, reused from the last visit if it is still valid. */
  visitAsAdmin(path?: string, options?: VisitOptions): Promise<Visit>;
}

/** The default for pages without their own. */
const DEFAULT_VIEWPORT = { width: 1280, height: 720 };

let launched: Promise<Browser> | undefined;

/** Every checked page compiles it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * A product for all tests of a file, in memory unless an engine is configured or requested. At the end no page may have had a problem: an error in the console or an uncaught one, an
 * answer of 500 and above, a request to another site. Answers of 4xx are allowed, because some tests expect them.
 * @param prepare creates data before the first test
 * @param onEngine uses the embedded table and queues, like operators
 */
export function setUpSite(
  prepare: () => Promise<unknown> = async () => undefined,
  { onEngine = false }: { readonly onEngine?: boolean } = {},
): Site {
  const problems: string[] = [];
  const site = { visit, visitAsAdmin } as Site;
  beforeAll(async () => {
    await ensureWebBuild();
    const cloud = await startTestCloud({ webRoot: WEB_ROOT }, { inMemory: !onEngine && NO_ENGINE_NAMED });
    // It ends with the process.
    launched ??= launchBrowser();
    Object.assign(site, { cloud, browser: await launched });
    await prepare();
  });
  afterAll(async () => {
    // Scripts cached by an earlier file could not be held back by a test.
    await Promise.all(site.browser.contexts().map((context) => context.close()));
    await site.cloud.stop();
    expect(problems).toEqual([]);
  });

  let cookies: Cookie[] = [];
  async function openSession(page: Page): Promise<void> {
    await page.context().addCookies(cookies);
    const check = await page.request.get('/api/check-auth');
    if ((await check.json()).authenticated) return;
    const login = await page.request.post('/api/login', { data: ADMIN });
    if (!login.ok()) throw new Error(`The login was answered with ${login.status()}`);
    cookies = await page.context().cookies();
  }

  /** Pages cleared of earlier visits, by their options. */
  const emptied = new Map<string, Page[]>();
  async function newVisit({ fresh = false, ...rest }: VisitOptions): Promise<Visit> {
    const { browser, cloud } = site;
    const like = { baseURL: cloud.url, reducedMotion: 'reduce', ...rest } as const;
    const kind = JSON.stringify(like);
    const page =
      (fresh ? undefined : emptied.get(kind)?.pop()) ?? (await (await browser.newContext(like)).newPage());
    // Also resets the clock of a cleared page.
    await page.clock.install();
    watch(page, cloud.url, problems);
    let isOpen = true;
    const close = async () => {
      if (!isOpen) return;
      isOpen = false;
      if (await empty(page, rest)) emptied.set(kind, [...(emptied.get(kind) ?? []), page]);
      else await page.context().close();
    };
    if (TestRunner.getCurrentTest() !== undefined) onTestFinished(close);
    return { page, close };
  }

  async function visit(path = '/', options: VisitOptions = {}): Promise<Visit> {
    const visited = await newVisit(options);
    await visited.page.goto(path);
    return visited;
  }
  async function visitAsAdmin(path = '/dashboard', options: VisitOptions = {}): Promise<Visit> {
    const visited = await newVisit(options);
    await openSession(visited.page);
    await visited.page.goto(path);
    return visited;
  }
  return site;
}

/** Logs in on the login page. */
export async function logIn(
  page: Page,
  account: { username: string; password: string } = ADMIN,
): Promise<void> {
  await page.getByLabel('Username').fill(account.username);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL('**/dashboard');
}

/** Rules to check; by default all of WCAG 2.2 A and AA. */
export interface Looking {
  /** Only these axe rules. */
  readonly rules?: readonly string[];
  /** A selector; by default the open dialogs, because they are separate from the screen behind. */
  readonly within?: string;
}

const DIALOGS = '[role=dialog], [role=alertdialog], dialog[open]';
const HAS_DIALOG = `[...document.querySelectorAll('${DIALOGS}')].some((it) => it.checkVisibility())`;

/** The current page's accessibility problems, one line each; wait for the page first. */
export async function accessibilityProblems(page: Page, { rules, within }: Looking = {}): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  const options = {
    runOnly:
      rules === undefined
        ? { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }
        : { type: 'rule', values: rules },
    resultTypes: ['violations'],
    preload: false,
  };
  const place = within ?? ((await page.evaluate(HAS_DIALOG)) ? DIALOGS : 'html');
  const call = `axe.run(${JSON.stringify(place)}, ${JSON.stringify(options)})`;
  const { violations } = await page.evaluate<AxeResults>(call);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} – ${node.failureSummary ?? ''}`),
  );
}

/**
 * Removes all traces of a visit from a page. A new context would cost as much as two loads of the app: a process, a
 * cache and compiled scripts.
 * @returns whether the next visit can reuse it; false if the test opened further pages
 */
async function empty(page: Page, options: BrowserContextOptions): Promise<boolean> {
  const context = page.context();
  if (context.pages().length > 1 || page.isClosed()) return false;
  page.removeAllListeners();
  await Promise.all([
    page.unrouteAll({ behavior: 'ignoreErrors' }),
    context.unrouteAll(),
    context.setOffline(false),
  ]);
  // A text page of the same site keeps the browser's process.
  await page.goto('/robots.txt');
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await context.clearCookies();
  await page.emulateMedia({
    media: null,
    colorScheme: options.colorScheme ?? 'light',
    reducedMotion: 'reduce',
  });
  await page.setViewportSize(options.viewport ?? DEFAULT_VIEWPORT);
  await page.mouse.move(-1, -1);
  return true;
}

function watch(page: Page, url: string, problems: string[]): void {
  page.on('console', (message) => {
    // The browser also logs 4xx answers, and calls and code that a test held back; only the page's reaction counts.
    const isWanted = /^Failed to load resource|^CodeNotLoaded|net::ERR_FAILED/.test(message.text());
    if (message.type() === 'error' && !isWanted) problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('response', (response) => {
    // An answer without the product's headers was created by a test.
    if (response.status() >= 500 && 'x-content-type-options' in response.headers())
      problems.push(`${response.status()} ${response.url()}`);
  });
  page.on('request', (request) => {
    const wanted = request.url();
    const isOwn = [url, url.replace('localhost', '127.0.0.1')].some((own) => wanted.startsWith(own));
    if (!isOwn && !/^(data|blob):/.test(wanted)) problems.push(`another site: ${wanted}`);
  });
}

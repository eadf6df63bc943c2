import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

/** What `npm run build` made; `npm test` builds first. */
const WEB = join(import.meta.dirname, '..', '..', '..', 'dist', 'web');

const KB = 1000;
const LOGIN = ['LoginPage'];
const LIST_PAGES = {
  dashboard: ['AdminApp', 'DashboardPage'],
  'pending leads': ['AdminApp', 'PendingLeadsPage'],
  claims: ['AdminApp', 'ClaimsPage'],
  'create lead': ['AdminApp', 'CreateLeadPage'],
  'statistics without its charts': ['AdminApp', 'StatisticsPage'],
  settings: ['AdminApp', 'SettingsPage'],
  'lead history': ['AdminApp', 'LeadPage'],
  deliveries: ['AdminApp', 'DeliveriesPage'],
  audit: ['AdminApp', 'AuditPage'],
  admins: ['AdminApp', 'AdminsPage'],
  people: ['AdminApp', 'PeoplePage'],
  sources: ['AdminApp', 'SourcesPage'],
  simulator: ['AdminApp', 'SimulatorPage'],
};

const scripts = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.js'))
  .map((file) => file.replaceAll(sep, '/'));
const html = readFileSync(join(WEB, 'index.html'), 'utf8');
/** Loaded by every page: what the document itself names, with what that imports. */
const entry = closure(
  Array.from(html.matchAll(/(?:src|href)="\/(\S+\.(?:js|css))"/g), ([, file]) => file ?? ''),
);

/** A chunk and all that its script imports at once. */
function closure(files: readonly string[]): Set<string> {
  const all = new Set<string>();
  const queue = [...files];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (all.has(file)) continue;
    all.add(file);
    if (file.endsWith('.js'))
      for (const [, path = ''] of read(file).matchAll(/(?:from|import)\s*[`"'](\.[^`"']+\.js)[`"']/g))
        queue.push(posix.join(posix.dirname(file), path));
  }
  return all;
}

/** What the browser is told to load along with a chunk: lists of numbers into a list of files, kept by its importer. */
function preloaded(name: string): string[] {
  for (const script of scripts) {
    const text = read(script);
    const files: string[] = JSON.parse(/m\.f=(\["[^\]]*\])/.exec(text)?.[1] ?? '[]');
    for (const [, numbers = ''] of text.matchAll(/__vite__mapDeps\(\[([\d,]+)\]\)/g)) {
      const list = numbers.split(',').map((number) => files[Number(number)] ?? '');
      if (
        list.some((file) => new RegExp(`/${name}-[^/]+\\.js$`).test(file)) &&
        list[0]?.includes(`/${name}-`)
      )
        return list;
    }
  }
  return [];
}

function chunk(name: string): string {
  const found = scripts.find((file) => new RegExp(`/${name}-[^/]+\\.js$`).test(file));
  if (found === undefined) throw new Error(`The build has no chunk ${name}`);
  return found;
}

function load(names: readonly string[]): Set<string> {
  return new Set([...entry, ...names.flatMap((name) => [...closure([chunk(name)]), ...preloaded(name)])]);
}

function read(file: string): string {
  return readFileSync(join(WEB, file), 'utf8');
}

function gzipped(files: Iterable<string>, extension: '.js' | '.css'): number {
  return [...files]
    .filter((file) => file.endsWith(extension))
    .reduce((bytes, file) => bytes + gzipSync(readFileSync(join(WEB, file))).length, 0);
}

describe('the weight of the pages, compressed', () => {
  it.each(['LoginPage', 'InvitationPage'])('%s: at most 117 KB of script and 20 KB of styles', (name) => {
    const page = load([name]);
    expect(gzipped(page, '.js')).toBeLessThanOrEqual(117 * KB);
    expect(gzipped(page, '.css')).toBeLessThanOrEqual(20 * KB);
    expect(gzipped(page, '.css')).toBeGreaterThan(5 * KB);
  });

  it.each(Object.entries(LIST_PAGES))(
    '%s: at most 160 KB of script and 20 KB of styles, in 25 files',
    (name, names) => {
      const page = load(names);
      expect(gzipped(page, '.js')).toBeLessThanOrEqual((name === 'dashboard' ? 150 : 160) * KB);
      expect(gzipped(page, '.css')).toBeLessThanOrEqual(20 * KB);
      expect(page.size).toBeLessThanOrEqual(25);
    },
  );

  it("the buyer's page: at most 117 KB of script, its panels apart, and no component library", () => {
    const page = load(['LeadListPage']);
    expect(gzipped(page, '.js')).toBeLessThanOrEqual(117 * KB);
    for (const name of ['ShareView', 'StatementView']) expect(page.has(chunk(name))).toBe(false);
    expect([...page].filter((file) => file.includes('MantineRoot'))).toEqual([]);
  });

  it.each(['SpecificationPage', 'StatusPage'])(
    '%s: at most 112 KB of script and no component library',
    (name) => {
      const page = load([name]);
      expect(gzipped(page, '.js')).toBeLessThanOrEqual(112 * KB);
      expect([...page].filter((file) => file.includes('MantineRoot'))).toEqual([]);
    },
  );

  it('statistics with its charts: at most 230 KB of script, and the charts only when they are shown', () => {
    const withCharts = load(['AdminApp', 'StatisticsPage', 'Charts']);
    expect(load(['AdminApp', 'StatisticsPage']).has(chunk('Charts'))).toBe(false);
    expect(gzipped(withCharts, '.js')).toBeLessThanOrEqual(230 * KB);
  });

  it('the font: one file of at most 50 KB, which the document names first', () => {
    const fonts = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.woff2?$/.test(file),
    );
    expect(fonts).toHaveLength(1);
    expect(readFileSync(join(WEB, fonts[0] ?? '')).length).toBeLessThanOrEqual(50 * KB);
    expect(html).toMatch(/<link\s+rel="preload"\s+href="\/assets\/inter-[^"]+\.woff2"/);
  });
});

it("the API's document: at most 440 KB of script, and only on its page", () => {
  const page = load(['ApiDocsPage']);
  expect(gzipped(page, '.js') - gzipped(entry, '.js')).toBeLessThanOrEqual(440 * KB);
  for (const names of [LOGIN, ['LeadListPage'], ...Object.values(LIST_PAGES)])
    expect(load(names).has(chunk('ApiDocsPage'))).toBe(false);
});

describe('what is in the bundles', () => {
  it('the validation library stays on the server', () => {
    for (const script of scripts) expect(read(script), script).not.toMatch(/ZodError|_zod/);
  });

  it('every chunk of the admin app stands under the gated prefix, and none that login or buyers need', () => {
    for (const name of [
      'AdminApp',
      'ClaimsPage',
      'StatisticsPage',
      'SettingsPage',
      'LeadPage',
      'BuyerDialogs',
      'ApiDocsPage',
    ])
      expect(chunk(name)).toMatch(/^admin-assets\//);
    for (const names of [LOGIN, ['InvitationPage'], ['LeadListPage'], ['SpecificationPage'], ['StatusPage']])
      expect([...load(names)].filter((file) => file.startsWith('admin-assets/'))).toEqual([]);
  });
});

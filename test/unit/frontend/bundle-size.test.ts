import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

/** Output of `npm run build`, which `npm test` runs first. */
const WEB = join(import.meta.dirname, '..', '..', '..', 'dist', 'web');

const KB = 1000;
/** The maximum KB of script for each page, which loads no component library. */
const OPEN_PAGES = [
  ['LoginPage', 105],
  ['InvitationPage', 105],
  ['LeadListPage', 111],
  ['ProofPage', 111],
  ['SpecificationPage', 112],
  ['StatusPage', 112],
] as const;
/** Pages behind the admin app's gate. */
const ADMIN_PAGES = [
  ['DashboardPage', 141],
  ['LeadsPage', 164],
  ['PendingLeadsPage', 162],
  ['ClaimsPage', 146],
  ['CreateLeadPage', 170],
  ['StatisticsPage', 155],
  ['SettingsPage', 173],
  ['LeadPage', 168],
  ['BuyerPage', 160],
  ['DeliveriesPage', 162],
  ['AuditPage', 160],
  ['AdminsPage', 160],
  ['PeoplePage', 162],
  ['SourcesPage', 160],
  ['SimulatorPage', 165],
] as const;

const scripts = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.js'))
  .map((file) => file.replaceAll(sep, '/'));
const html = readFileSync(join(WEB, 'index.html'), 'utf8');
/** Scripts that every page loads, with their imports. */
const entry = closure(
  Array.from(html.matchAll(/(?:src|href)="\/(\S+\.(?:js|css))"/g), ([, file]) => file ?? ''),
);

/** A chunk with its static imports. */
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

/** Preloaded chunks: the importing chunk has lists of indexes into a list of files. */
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

describe('the compressed size of the pages', () => {
  it.each(OPEN_PAGES)(
    '%s: at most %i KB of script and 20 KB of styles, without the component library',
    (name, most) => {
      const page = load([name]);
      expect(gzipped(page, '.js')).toBeLessThanOrEqual(most * KB);
      expect(gzipped(page, '.css')).toBeLessThanOrEqual(20 * KB);
      for (const file of page) expect(read(file)).not.toContain('MantineProvider');
      expect([...page].filter((file) => file.startsWith('admin-assets/'))).toEqual([]);
      expect(page.has(chunk('ApiDocsPage'))).toBe(false);
    },
  );

  it.each(ADMIN_PAGES)('%s: at most %i KB of script and 20 KB of styles, in 26 files', (name, most) => {
    const page = load(['admin-dashboard', name]);
    expect(chunk(name)).toMatch(/^admin-assets\//);
    expect(gzipped(page, '.js')).toBeLessThanOrEqual(most * KB);
    expect(gzipped(page, '.css')).toBeLessThanOrEqual(20 * KB);
    expect(page.size).toBeLessThanOrEqual(26);
    expect(page.has(chunk('ApiDocsPage'))).toBe(false);
  });

  it('the buyer’s page: without its panels', () => {
    const page = load(['LeadListPage']);
    for (const name of ['ShareView', 'StatementView']) expect(page.has(chunk(name))).toBe(false);
  });

  it.each(['DeliveryFigures', 'Accounting'])(
    'the statistics tab %s: at most 170 KB of script, loaded only when shown',
    (tab) => {
      expect(load(['admin-dashboard', 'StatisticsPage']).has(chunk(tab))).toBe(false);
      expect(gzipped(load(['admin-dashboard', 'StatisticsPage', tab]), '.js')).toBeLessThanOrEqual(170 * KB);
    },
  );

  it('the font: one file of at most 50 KB, first in the document', () => {
    const fonts = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.woff2?$/.test(file),
    );
    expect(fonts).toHaveLength(1);
    expect(readFileSync(join(WEB, fonts[0] ?? '')).length).toBeLessThanOrEqual(50 * KB);
    expect(html).toMatch(/<link\s+rel="preload"\s+href="\/assets\/inter-[^"]+\.woff2"/);
  });
});

it('the API document: at most 440 KB of script', () => {
  const page = load(['ApiDocsPage']);
  expect(gzipped(page, '.js') - gzipped(entry, '.js')).toBeLessThanOrEqual(440 * KB);
});

it('the validation library stays on the server', () => {
  for (const script of scripts) expect(read(script), script).not.toMatch(/ZodError|_zod/);
});

it('every chunk of the admin app is under the gated prefix', () => {
  for (const name of ['admin-dashboard', 'BuyerDialogs', 'ApiDocsPage'])
    expect(chunk(name)).toMatch(/^admin-assets\//);
});

/** What a cold start has to load: size and import time of every function against an empty handler with the client. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '#cdk/bundling';
import { entryOf } from '#cdk/functions';
import { FUNCTIONS } from '#functions/functions';
import { type Bundle, measureBundles } from '#test/bench/bundles';

/** The same code gives the same bytes, so this is exact. */
const SIZE = 1.3;

/** Of processor time; the margin is what one machine's processor differs from another's. */
const IMPORT = 1.3;
const MARGIN = 0.1;
const RUNS = 3;
/** Of a second look at what seems slow: the machine may have been at something else. */
const MORE_RUNS = 12;

const measured = new Map<string, Bundle>();
beforeAll(() => {
  for (const one of measureBundles(RUNS).functions) measured.set(one.name, one);
});

describe('the start of', () => {
  it.each(FUNCTIONS)('%s loads little more than the client', (name) => {
    expect(measured.get(name)?.sizeRatio, `${name}, times the empty handler`).toBeLessThanOrEqual(SIZE);
  });

  it.each(FUNCTIONS)('%s takes little longer than the client', (name) => {
    const ratio = () => measureBundles(MORE_RUNS, [name]).functions[0]?.importRatio;
    const first = measured.get(name)?.importRatio ?? Number.NaN;
    expect(first <= IMPORT ? first : ratio(), name).toBeLessThanOrEqual(IMPORT + MARGIN);
  });
});

describe('the bundles', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'bundled-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(FUNCTIONS)('of %s contain zod/mini and not zod', (name) => {
    const { sources } = bundle(entryOf(name), join(folder, name));
    expect(sources.filter((path) => path.includes('/zod/v4/core/'))).not.toEqual([]);
    expect(sources.filter((path) => /\/zod\/v4\/(classic|locales)\//.test(path))).toEqual([]);
  });

  it('refer to their source maps, so that stack traces name lines of the sources', () => {
    const { entry } = bundle(entryOf('auth'), join(folder, 'mapped'));
    const failing = `
      const { handler } = await import(process.argv[1]);
      const answer = { routeKey: 'GET /api/check-auth', headers: {}, cookies: ['session=x'], requestContext: { http: {} } };
      await handler(answer, { awsRequestId: 'r', getRemainingTimeInMillis: () => 1000 });`;
    const log = execFileSync(
      process.execPath,
      ['--enable-source-maps', '--input-type=module', '-e', failing, pathToFileURL(entry).href],
      {
        encoding: 'utf8',
        stdio: 'pipe',
        env: { TABLE_NAME: 't', PUBLIC_BASE_URL: 'https://x.example', KEYS_JSON: '{}', AWS_REGION: 'x' },
      },
    );
    expect(log).toMatch(/"message":"failed".*"at":"at load \(.*functions[\\/]keys[\\/]keys\.ts:\d+:\d+\)"/);
  });

  it('are identical for the same code, byte by byte', () => {
    const filesOf = (attempt: string) => {
      bundle(entryOf('pending-leads'), join(folder, attempt));
      return readdirSync(join(folder, attempt)).map((file) => [
        file,
        readFileSync(join(folder, attempt, file), 'utf8'),
      ]);
    };
    expect(filesOf('once')).toEqual(filesOf('again'));
  });
});

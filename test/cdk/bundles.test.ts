/**
 * What a cold start loads: the size of every function, compared with an empty handler that has the client. `npm run bench`
 * measures the import time, because it depends on the machine.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bundle, bundle } from '#cdk/bundling';
import { environment } from '#functions/platform/environment';
import { entryOf, FUNCTION_TABLE, FUNCTIONS, type FunctionName } from '#functions/platform/functions';
import { bundleEmpty } from '#test/bench/bundles';

/** Exact, because the same code has the same bytes. */
const SIZE = 1.31;

const folder = mkdtempSync(join(tmpdir(), 'bundled-'));
const bundles = new Map<string, Bundle>();
beforeAll(() => {
  for (const name of FUNCTIONS) bundles.set(name, bundle(entryOf(name), join(folder, name)));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a cold start of', () => {
  const empty = bundleEmpty(folder);

  it.each(FUNCTIONS)('%s loads little more than the client', (name) => {
    const times = (bundles.get(name)?.start ?? Number.NaN) / empty.start;
    expect(times, `${name}, times the empty handler`).toBeLessThanOrEqual(SIZE);
  });
});

const VARIABLES = Object.keys(environment.shape);
/** Read with what other functions need, but nothing uses them. */
const WITHOUT_USE: Partial<Record<FunctionName, readonly string[]>> = { meta: ['KEYS_ARN', 'KEYS_JSON'] };

/** The variables that the code takes from an object, `x.NAME` or `{ NAME: y } = x`, except from the schemas. */
function variablesReadIn(folder: string): string[] {
  const read = new Set<string>();
  const schemas = new Set<unknown>();
  const nameOf = (node: object) => (node as { name?: string }).name ?? '';
  const visitor = new Visitor({
    VariableDeclarator({ id, init }) {
      if (init?.type === 'MemberExpression' && nameOf(init.property) === 'shape') schemas.add(id);
    },
    MemberExpression: ({ property }) => read.add(nameOf(property)),
    ObjectPattern(pattern) {
      if (schemas.has(pattern)) return;
      for (const one of pattern.properties) if (one.type === 'Property') read.add(nameOf(one.key));
    },
  });
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.mjs'))) {
    const code = readFileSync(join(folder, file), 'utf8');
    if (VARIABLES.some((name) => code.includes(name))) visitor.visit(parseSync(file, code).program);
  }
  return VARIABLES.filter((name) => read.has(name));
}

describe('the bundles', () => {
  it.each(FUNCTIONS)('of %s read every variable of its environment, and no other', (name) => {
    const given = [...Object.keys(FUNCTION_TABLE[name].environment.shape), ...(WITHOUT_USE[name] ?? [])];
    expect(variablesReadIn(join(folder, name)).toSorted()).toEqual(given.toSorted());
  });

  it.each(FUNCTIONS)('of %s contain zod/mini and not zod', (name) => {
    const sources = bundles.get(name)?.sources ?? [];
    expect(sources.filter((path) => path.includes('/zod/v4/core/'))).not.toEqual([]);
    expect(sources.filter((path) => /\/zod\/v4\/(classic|locales)\//.test(path))).toEqual([]);
  });

  it('refer to their source maps, so that stack traces name lines of the sources', () => {
    const failing = `
      const { handler } = await import(process.argv[1]);
      const answer = { routeKey: 'GET /api/check-auth', headers: {}, cookies: ['session=x'], requestContext: { http: {} } };
      await handler(answer, { awsRequestId: 'r', getRemainingTimeInMillis: () => 1000 });`;
    const log = execFileSync(
      process.execPath,
      [
        '--enable-source-maps',
        '--input-type=module',
        '-e',
        failing,
        pathToFileURL(bundles.get('auth')?.entry ?? '').href,
      ],
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

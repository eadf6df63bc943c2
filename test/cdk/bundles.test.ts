/** What a cold start has to load: size and import time of every function against an empty handler with the client. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '#cdk/bundling';
import { entryOf } from '#cdk/functions';
import { FUNCTIONS, type FunctionName } from '#functions/functions';
import { type Bundle, measureBundles } from '#test/bench/bundles';

/** The same code gives the same bytes, so this is exact. */
const SIZE = 1.3;

/**
 * How many times the import of the empty handler an import may take. Measured in docs/adr/0013-bundles.md, which also
 * says why most are above 1.3; the margin is what one machine's processor time differs from another's.
 */
const MARGIN = 0.25;
const IMPORT: Readonly<Record<FunctionName, number>> = {
  auth: 1.35,
  buyers: 1.4,
  claims: 1.45,
  deliveries: 1.45,
  insights: 1.6,
  leads: 1.45,
  'leads-view': 1.4,
  meta: 1.2,
  orders: 1.4,
  'pending-leads': 1.5,
  settings: 1.45,
  outbox: 1,
  statistics: 1.15,
  deliver: 1.4,
  notify: 1.4,
  refill: 1.4,
  sweep: 1.35,
};
const RUNS = 3;

const measured = new Map<string, Bundle>();
beforeAll(() => {
  for (const one of measureBundles(RUNS).functions) measured.set(one.name, one);
});

describe('the start of', () => {
  it.each(FUNCTIONS)('%s loads little more than the client', (name) => {
    expect(measured.get(name)?.sizeRatio, `${name}, times the empty handler`).toBeLessThanOrEqual(SIZE);
  });

  it.each(FUNCTIONS)('%s takes little longer than the client', (name) => {
    // A second look at what seems slow: the machine may have been at something else.
    const ratio = () => measureBundles(RUNS, [name]).functions[0]?.importRatio;
    const first = measured.get(name)?.importRatio ?? Number.NaN;
    const most = IMPORT[name] + MARGIN;
    expect(first <= most ? first : ratio(), name).toBeLessThanOrEqual(most);
  });
});

it('the same code is the same folder, byte by byte', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bundled-twice-'));
  const filesOf = (name: string) => {
    bundle(entryOf('pending-leads'), join(folder, name));
    return readdirSync(join(folder, name)).map((file) => [
      file,
      readFileSync(join(folder, name, file), 'utf8'),
    ]);
  };
  try {
    expect(filesOf('once')).toEqual(filesOf('again'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

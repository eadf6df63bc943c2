/** The load model matches the product, and docs/scale.md shows its results. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countLeads, limitsOf, settleLedger, TODAY, WITHOUT_SHARDS, WRITES } from '#test/bench/scale-model';
import { scaleTables } from '#test/bench/scale-tables';

const page = (name: string) => readFileSync(join(import.meta.dirname, '../../..', 'docs', name), 'utf8');

describe('the load model', () => {
  it('agrees with docs/scale.md', () => {
    expect(page('scale.md')).toContain(scaleTables());
  });

  it('has the measured number of writes for a lead', () => {
    const measured = Object.fromEntries(
      [...page('operations/costs.md').matchAll(/^\| ([^|]+) \| (\d+\.\d) write,/gm)].map(
        ([, step, units]) => [step?.split(' ')[0], Number(units)],
      ),
    );
    expect(measured).toMatchObject({
      received: WRITES.intake.all,
      delivered: WRITES.delivery.all,
      counted: WRITES.statistics.all,
    });
  });

  it('settles a single lead in one write, and never needs more than three', () => {
    expect(settleLedger(TODAY, 0.1)).toEqual({ writes: 1, drawn: 0 });
    const crowded = settleLedger(TODAY, 5000);
    expect(crowded.writes).toBeLessThanOrEqual(3);
    expect(crowded.drawn).toBeGreaterThan(0.99);
    expect(settleLedger({ ...TODAY, batch: 100 }, 1000).drawn).toBeLessThan(0.05);
  });

  it('has more capacity in sharded lists', () => {
    const [before, today] = [limitsOf(WITHOUT_SHARDS), limitsOf(TODAY)];
    expect(today['list of leads in flight']).toBe(4 * before['list of leads in flight']);
    expect(today['list of new deliveries']).toBe(4 * before['list of new deliveries']);
    expect(countLeads(TODAY, 1000).counted).toBeGreaterThan(1.5 * countLeads(WITHOUT_SHARDS, 1000).counted);
    expect(today['share ledger']).toBe(before['share ledger']);
  });
});

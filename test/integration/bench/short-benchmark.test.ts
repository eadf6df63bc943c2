/** The short benchmark. Checks only results that do not depend on the machine's speed. */
import { describe, expect } from 'vitest';
import { measureBatchCosts, measureBatches } from '#test/bench/batches';
import { startProcesses } from '#test/bench/processes';
import { measureCosts } from '#test/bench/units';
import { compareWays, WAYS } from '#test/bench/usual-way';
import { measureWholePath } from '#test/bench/whole-path';
import { itOnEngine as it } from '#test/harness/fixtures';
import { mostWritten } from '#test/harness/other-engine';

describe('the benchmark', { timeout: 120_000 }, () => {
  it('measures the same cost of a lead with 10 and 1,000 leads stored, within the budget', async ({
    engine,
  }) => {
    const [few, many] = await measureCosts(engine, [10, 1000]);
    expect(few?.writeUnits).toBeLessThanOrEqual(mostWritten(12));
    expect(few?.readUnits).toBeLessThanOrEqual(2);
    expect(few?.roundTrips).toBeLessThanOrEqual(4);
    expect(many).toEqual({ ...few, stored: 1000 });
  });

  it('measures shares in one process, in four, and in the usual designs', async ({ engine }) => {
    const ways = await compareWays(engine, 4, 48, startProcesses);
    const named = (name: string) => ways.find((way) => way.name === name);
    expect(named(WAYS.oneProcess)?.shareError).toBeLessThanOrEqual(1.5);
    expect(named(WAYS.oneProcess)?.retries).toBe(0);
    expect(named(WAYS.increment)?.retries).toBe(0);
    // Processes compete for the ledger; a single one does not.
    expect(named(WAYS.processes)?.retries).toBeGreaterThan(0);
  });

  it('measures cost and shares of leads in batches of a hundred', async ({ engine }) => {
    for (const { verified, writeUnits, readUnits } of await measureBatchCosts(engine)) {
      expect(writeUnits).toBeLessThanOrEqual(mostWritten(9));
      expect(readUnits).toBeLessThanOrEqual(verified ? 1.1 : 0.1);
    }
    const { shareError } = await measureBatches(engine, 100, 1);
    expect(shareError).toBeLessThanOrEqual(1.5);
  });

  it('measures the whole path of a lead, delivery and statistics included', async ({ engine }) => {
    const { intake, delivery, statistics } = await measureWholePath(engine, 20);
    expect(intake.write).toBeLessThanOrEqual(mostWritten(12));
    expect(delivery.write).toBeGreaterThan(0);
    expect(delivery.write).toBeLessThanOrEqual(mostWritten(8));
    expect(statistics.write).toBeGreaterThan(0);
    // Most of it is the search index: two units for each of nine words (ADR 8). Two are the buyer's statement (ADR 10), and
    // up to four the list of leads (ADR 69).
    expect(statistics.write).toBeLessThanOrEqual(mostWritten(27));
  });
});

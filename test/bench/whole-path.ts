/** The table load of one lead on its whole path: ingested and assigned, delivered, counted in the statistics. */

import { createDestinationLeases } from '#functions/data/deliveries/destination-leases';
import * as jobStore from '#functions/data/distribution/job-store';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { deliver } from '#functions/domain/deliveries/deliveries';
import { ingest } from '#functions/domain/distribution/distribution';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { count } from '#functions/domain/statistics/statistics';
import type { Runtime } from '#functions/platform/runtime';
import { createConcurrencyLimiter } from '#functions/workers/deliver/concurrency-limiter';
import { A_CONSENT } from '#test/factories/consents';
import { aDeliverMessage, aReport } from '#test/factories/deliveries';
import { aPerson } from '#test/factories/people';
import { aTemplate } from '#test/factories/templates';
import { deliverDepsOn } from '#test/harness/deliveries';
import { addBuyers, distributionOn, quietRuntime } from '#test/harness/distribution';
import type { TestEngine } from '#test/harness/engine';
import { withRoundTrips } from '#test/harness/round-trips';

const BUYERS = 20;
/** Leads per batch of the table's stream. */
const LEADS_PER_BATCH = 10;

/** Per lead, on average. */
export interface Step {
  /** Capacity units. */
  readonly read: number;
  readonly write: number;
  /** Sequential calls to the table. */
  readonly trips: number;
  /** Seconds of this machine's processor. */
  readonly processor: number;
}

export interface WholePath {
  readonly intake: Step;
  /** The same with a consent whose wording is known. */
  readonly intakeWithConsent: Step;
  /** One channel, delivered by the first attempt. */
  readonly delivery: Step;
  readonly statistics: Step;
  /** A run without work. */
  readonly reconcile: Step;
  /** Everything that the table stores for a lead, indexes included. */
  readonly bytes: number;
}

/** @param advance called for every lead and step: `3 * leads` in total */
export async function measureWholePath(
  engine: TestEngine,
  leads: number,
  advance: (by?: number) => void = () => undefined,
): Promise<WholePath> {
  const units = { read: 0, write: 0 };
  const { table, roundTrips } = withRoundTrips(
    await engine.freshTable(({ read, write }) => {
      units.read += read;
      units.write += write;
    }),
  );
  await addBuyers(
    table,
    Array.from({ length: BUYERS }, (_, at) => ({
      id: `buyer-${at}`,
      probability: 100 / BUYERS,
      limit: 2 * leads,
    })),
  );
  await table.put({ put: { ...keys.template(aTemplate().id), ...aTemplate() } });
  const distribution = distributionOn(table);
  const during = async (work: () => Promise<unknown>, times: number): Promise<Step> => {
    units.read = 0;
    units.write = 0;
    const tripsBefore = roundTrips();
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return {
      read: units.read / times,
      write: units.write / times,
      trips: (roundTrips() - tripsBefore) / times,
      processor: (user + system) / 1e6 / times,
    };
  };

  const leadIds: string[] = [];
  const intake = await during(async () => {
    for (let lead = 0; lead < leads; lead += 1) {
      const result = await ingest(distribution, aPerson(), undefined);
      if (result.status !== 'assigned') throw new Error(`A lead was not assigned: ${result.status}`);
      leadIds.push(result.lead_id);
      advance();
    }
  }, leads);
  const intakeWithConsent = await during(async () => {
    for (let lead = 0; lead < leads; lead += 1)
      await ingest(distribution, aPerson(), undefined, {
        lead_id: distribution.runtime.newId(),
        consent: A_CONSENT,
      });
  }, leads);
  const bytes = (await bytesOf(table, leadIds)) / leads;
  const delivery = await during(() => deliverAll(table, leadIds, advance), leads);
  const statistics = await during(async () => {
    const deps = { table, runtime: quietRuntime };
    for (let at = 0; at < leadIds.length; at += LEADS_PER_BATCH) {
      await count(deps, leadIds.slice(at, at + LEADS_PER_BATCH));
      advance(LEADS_PER_BATCH);
    }
  }, leads);
  // The first run finishes the work that ingestion left.
  await reconcile(distribution, 0);
  const reconciled = await during(async () => {
    await reconcile(distribution);
    await jobStore.done({ table });
  }, 1);
  return { intake, intakeWithConsent, delivery, statistics, reconcile: reconciled, bytes };
}

async function bytesOf(table: Table, leadIds: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const id of leadIds) {
    const items = await table.queryAll({ partition: keys.leadPartition(id) });
    // An index stores lead and delivery a second time.
    bytes += 2 * items.reduce((sum, item) => sum + JSON.stringify(item).length, 0);
  }
  return bytes;
}

/** With the worker's use case, to a mail server that accepts every e-mail immediately. */
async function deliverAll(table: Table, leadIds: readonly string[], advance: () => void): Promise<void> {
  const send = async () => aReport({ request: 'r'.repeat(400), answer: '250 OK' });
  let nowMs = Date.now();
  const runtime: Runtime = { ...quietRuntime, now: () => new Date(nowMs) };
  const limiter = createConcurrencyLimiter(createDestinationLeases(table), runtime);
  const deps = deliverDepsOn(table, { send }, { limiter, runtime });
  for (const lead_id of leadIds) {
    // One per second, because a released lease is not available immediately.
    nowMs += 1000;
    await deliver(deps, aDeliverMessage({ lead_id }));
    advance();
  }
}

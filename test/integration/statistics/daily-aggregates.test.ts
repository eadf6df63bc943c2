import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { describe, expect } from 'vitest';
import * as poolStore from '#functions/data/distribution/pool-store';
import * as statisticsStore from '#functions/data/statistics/statistics-store';
import { everyShard } from '#functions/data/statistics/sums';
import type { Table } from '#functions/data/table/table';
import { assignByHand, ingest } from '#functions/domain/distribution/distribution';
import { deleteLead, discardLead, editLead } from '#functions/domain/leads/leads';
import { rebuildStatistics } from '#functions/domain/statistics/rebuild';
import { count } from '#functions/domain/statistics/statistics';
import type { Runtime } from '#functions/platform/runtime';
import { createStatistics } from '#functions/workers/statistics/index';
import { berlinDay } from '#shared/rules/working-days';
import { aPerson } from '#test/factories/people';
import {
  addBuyers,
  adminOn,
  changedTable,
  distributionOn,
  itemsOf,
  leadsAmong,
  quietRuntime,
} from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';
import { seeded } from '#test/harness/random';

const statisticsOn = (table: Table) => ({ table, runtime: quietRuntime });

const event = (Records: DynamoDBRecord[]): DynamoDBStreamEvent => ({ Records });

/** Business on three Berlin days: leads by weights and manual, pending, edited, deleted and discarded ones. */
async function businessDays(table: Table): Promise<void> {
  let now = new Date('2026-03-27T22:30:00Z');
  const runtime: Runtime = { ...quietRuntime, now: () => now };
  const deps = distributionOn(table, { runtime });
  const admin = adminOn(table, runtime);
  await addBuyers(table, [
    { id: 'half', probability: 50, limit: 100 },
    { id: 'third', probability: 30, limit: 4 },
    { id: 'rich', probability: 20, limit: 100, minimum: 50_000 },
    { id: 'careful', probability: 0, limit: 10 },
  ]);
  const assignment: string[] = [];
  for (let lead = 0; lead < 24; lead += 1) {
    if (lead === 8) now = new Date('2026-03-28T22:59:59.999Z');
    if (lead === 16) now = new Date('2026-03-28T23:00:00Z');
    const result = await ingest(
      deps,
      aPerson({ anlagebetrag: lead % 3 === 0 ? 6_000_000 : 1_000_000 }),
      lead % 6 === 5 ? 'careful' : undefined,
    );
    assignment.push(result.lead_id);
  }
  await deleteLead(deps, 'test', assignment[0]!);
  await deleteLead(deps, 'test', assignment[17]!);
  await editLead(deps, 'test', assignment[1]!, {
    nachname: 'Neuer',
    anlagebetrag: 5,
  });
  // No buyer may receive these, so they become pending, and are then assigned manually or discarded.
  const pool = await poolStore.read(deps);
  for (const poolEntry of pool.entries)
    await table.update({
      key: { pk: 'POOL', sk: `ENTRY#${String(poolEntry.buyer).padStart(12, '0')}` },
      update: 'SET has_capacity = :no',
      values: { ':no': false },
    });
  const waiting = [];
  for (let lead = 0; lead < 4; lead += 1) waiting.push((await ingest(deps, aPerson(), undefined)).lead_id);
  await assignByHand(deps, 'test', waiting[0]!, { person: {}, buyerId: 'half' });
  await discardLead({ ...deps, ...admin }, 'test', waiting[1]!);
}

/** Recounted from the leads. */
async function expected(table: Table) {
  const items = await itemsOf(table);
  const leads = leadsAmong(items);
  const manual = new Set(
    items
      .filter(({ sk, mode }) => sk === 'DECISION' && mode === 'manual')
      .map(({ lead_id }) => String(lead_id)),
  );
  const days: Record<string, Record<number, [number, number, number]>> = {};
  for (const lead of leads.filter(({ status }) => status === 'assigned')) {
    const day = (days[berlinDay(new Date(lead.assigned_at!))] ??= {});
    const of = (day[lead.buyer!] ??= [0, 0, 0]);
    of[lead.lead_type === 'original' ? 0 : 1] += 1;
    if (manual.has(lead.lead_id)) of[2] += 1;
  }
  return {
    days,
    pending: leads.filter(({ status }) => status === 'pending').length,
    discarded: leads.filter(({ status }) => status === 'discarded').length,
    assigned: leads.filter(({ status }) => status === 'assigned').length,
  };
}

async function stored(table: Table) {
  const days: Record<string, Record<number, [number, number, number]>> = {};
  for (const [day, buyers] of await statisticsStore.range({ table }, '2000-01-01', '2099-12-31'))
    for (const [buyer, { originals, reimbursements, by_hand }] of buyers)
      if (originals + reimbursements > 0) (days[day] ??= {})[buyer] = [originals, reimbursements, by_hand];
  const value = await statisticsStore.allTotals({ table });
  return {
    days,
    pending: value.get('pending'),
    discarded: value.get('discarded'),
    assigned: value.get('assigned'),
  };
}

const shardsOf = async (table: Table) =>
  new Set([...(await everyShard({ table })).values()].flat().map(({ shard }) => shard));

describe('daily aggregates', () => {
  it.for([1, 2])(
    'are exact if records arrive twice, late and out of order (order %i)',
    async (seed, { engine, table }) => {
      await businessDays(table);
      const records = await engine.changesOf(table);
      const random = seeded(seed);
      const worker = createStatistics(statisticsOn(table));
      const queue = random.shuffled([...records, ...records.filter(() => random.next() < 0.4)]);
      while (queue.length > 0) {
        const answer = await worker(event(queue.splice(0, 1 + random.below(40))));
        expect(answer.batchItemFailures).toEqual([]);
      }
      const should = await expected(table);
      expect(Object.keys(should.days)).toEqual(['2026-03-27', '2026-03-28', '2026-03-29']);
      expect(should.pending).toBe(2);
      expect(await stored(table)).toEqual(should);
      const rebuilt = await rebuildStatistics(statisticsOn(table), false);
      expect(rebuilt).toMatchObject({ leads: 28, leadsCorrected: 0, differences: [] });
    },
  );

  it('go to another shard after two conflicts', async ({ table }) => {
    await businessDays(table);
    const leads = leadsAmong(await itemsOf(table)).map(({ lead_id }) => lead_id);
    const home = { shard: 0 };
    let inTheWay = 2;
    const busy = changedTable(table, {
      transact: async (items) => {
        inTheWay -= 1;
        return inTheWay < 0 ? table.transact(items) : { ok: false, failed: [] };
      },
    });
    const deps = {
      ...statisticsOn(busy),
      runtime: { ...quietRuntime, random: () => 0.7 },
    };
    await count({ ...deps, home }, leads);
    expect(home).toEqual({ shard: 5 });
    expect(await shardsOf(table)).toEqual(new Set([5]));
    expect(await stored(table)).toEqual(await expected(table));
  });

  it('report the first record that the worker could not count', async ({ engine, table }) => {
    await businessDays(table);
    const records = await engine.changesOf(table);
    const broken = new Error('no table');
    const worker = createStatistics(
      statisticsOn(changedTable(table, { getMany: () => Promise.reject(broken) })),
    );
    const first = records.find(({ dynamodb }) => dynamodb?.NewImage?.sk?.S === 'DECISION');
    const answer = await worker(event(records));
    expect(answer.batchItemFailures).toEqual([{ itemIdentifier: first?.dynamodb?.SequenceNumber }]);
  });
});

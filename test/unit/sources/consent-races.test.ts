/** The consent of a posted lead, written in parallel with the lead: crashes, repeated calls, and two calls with one ID. */
import { describe, expect, it, vi } from 'vitest';
import type { ConsentItem } from '#functions/data/leads/consent';
import * as consentStore from '#functions/data/leads/consent';
import * as leadStore from '#functions/data/leads/lead-store';
import type { Source } from '#functions/data/sources/source';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { redistribute } from '#functions/domain/distribution/backlog';
import { distributeBatch } from '#functions/domain/distribution/batches';
import { settleConsent } from '#functions/domain/distribution/consent';
import { distributeAgain } from '#functions/domain/distribution/distribution';
import { refuseWithdrawn } from '#functions/domain/distribution/do-not-contact';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { eraseLead } from '#functions/domain/leads/erasure';
import { discardLead } from '#functions/domain/leads/leads';
import { ingestPosted, type PostedLead } from '#functions/domain/sources/intake';
import { A_CONSENT } from '#test/factories/consents';
import { aPerson } from '#test/factories/people';
import { aSource } from '#test/factories/sources';
import {
  addBuyers,
  adminOn,
  changedTable,
  interruptedTable,
  itemsOf,
  leadsAmong,
  quietRuntime,
} from '#test/harness/distribution';
import { erasuresOn } from '#test/harness/erasures';
import { addSources, intakeOn } from '#test/harness/intake';
import { memoryTable } from '#test/harness/memory-table';

const PERSON = aPerson();
const posted = (content = 'same', vorname = 'Anna'): PostedLead => ({
  external_id: 'form-1',
  person: { ...PERSON, vorname },
  content,
  consent: { ...A_CONSENT, wording: 'Ja, bitte.' },
});

const erasureOn = (table: Table) => erasuresOn({ table, runtime: quietRuntime });

async function aWorld(changes: Partial<Source> = {}) {
  const table = memoryTable();
  const [source = aSource()] = await addSources(table, 1, changes);
  const send = async (lead: PostedLead, on: Table = table) =>
    (await ingestPosted(intakeOn(on), source, [lead], 1))[0]!;
  const recordOf = (leadId: string): Promise<ConsentItem | undefined> => consentStore.get({ table }, leadId);
  return { table, source, send, recordOf };
}

const isGone = (item: unknown) => !/Anna|Berta/.test(JSON.stringify(item));

/** The consent of a lead is missing, because its process ended between the writes of both. */
async function withoutRecord(count = 1, changes: Partial<Source> = {}) {
  const world = await aWorld(changes);
  const { table, source } = world;
  const buyers = [
    { id: 'strict', probability: 99, limit: 99, consent: true },
    { id: 'open', probability: 1, limit: 99 },
  ];
  await addBuyers(table, buyers);
  const leads = Array.from({ length: count }, (_, at) => {
    const person = aPerson({ telefon: `+4930${100 + at}`, email: `a${at}@example.org` });
    return { ...posted(), external_id: `form-${at}`, person };
  });
  const send = (on: Table) => ingestPosted(intakeOn(on), source, leads, count);
  await expect(send(withoutRecords(table))).rejects.toThrow('ended');
  const outcomes = async () => {
    const all = leadsAmong(await itemsOf(table));
    return [...new Set(all.map(({ status, reason, buyer }) => buyer ?? reason ?? status))];
  };
  return { ...world, sendAll: () => send(table), outcomes };
}

const isRecord = (item: unknown) => JSON.stringify(item).includes(`"sk":"${keys.consent('').sk}"`);
/** The process ends before it writes the record. */
const withoutRecords = (table: Table) =>
  changedTable(table, {
    put: (item) => (isRecord(item) ? Promise.reject(new Error('ended')) : table.put(item)),
  });

describe('the consent of a lead', () => {
  it('is written by the repeated call after the process ended between lead and record', async () => {
    const { table, send, recordOf } = await aWorld();
    await expect(send(posted(), withoutRecords(table))).rejects.toThrow('ended');
    const { lead_id } = await send(posted());
    expect((await recordOf(lead_id))?.seed).toBeDefined();
    const before = await recordOf(lead_id);
    await send(posted());
    expect(await recordOf(lead_id)).toEqual(before);
  });

  it('stays that of the stored lead when a call with other content repeats its ID', async () => {
    const { send, recordOf } = await aWorld();
    const { lead_id } = await send(posted());
    const before = await recordOf(lead_id);
    expect((await send(posted('other', 'Berta'))).status).toBe('conflict');
    expect(await recordOf(lead_id)).toEqual(before);
  });

  it('is that of the stored lead after two calls with one ID at the same time', async () => {
    const { send, recordOf, table } = await aWorld();
    const answers = await Promise.all([send(posted('one', 'Anna')), send(posted('two', 'Berta'))]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['accepted', 'conflict']);
    const { lead_id } = answers[0];
    const lead = await leadStore.get({ table }, lead_id);
    expect(JSON.parse((await recordOf(lead_id))?.person ?? '{}')).toMatchObject({ vorname: lead?.vorname });
  });

  it.each(['Anna', 'Berta'])(
    'is that of the stored lead if a slower call with this ID wrote its own first, of %s',
    async (vorname) => {
      const { send, recordOf, table } = await aWorld();
      let answer: unknown;
      const overtaken = changedTable(table, {
        put: async (item) => {
          const written = await table.put(item);
          if (isRecord(item)) answer = await send(posted('two', 'Berta'));
          return written;
        },
      });
      const slow = changedTable(overtaken, {
        put: async (item) => {
          if (item.put.sk === keys.lead('').sk) await vi.waitFor(() => expect(answer).toBeDefined());
          return overtaken.put(item);
        },
      });
      const { status, lead_id } = await send(posted('one', vorname), slow);
      expect([status, answer]).toEqual(['conflict', { status: 'accepted', lead_id }]);
      expect(JSON.parse((await recordOf(lead_id))?.person ?? '{}')).toMatchObject({ vorname: 'Berta' });
    },
  );

  it('does not come back with a repeated call after the lead was discarded', async () => {
    const { send, recordOf, table } = await aWorld();
    const { lead_id } = await send(posted());
    await discardLead(adminOn(table), 'anna', lead_id);
    await send(posted());
    expect(await recordOf(lead_id)).not.toHaveProperty('person');
  });

  it('is not written by a repeated call while the lead is discarded', async () => {
    const { send, recordOf, table } = await aWorld();
    const losing = changedTable(table, {
      put: (item) =>
        isRecord(item) ? Promise.resolve({ ok: true, item: item.put } as const) : table.put(item),
    });
    await send(posted(), losing);
    const discarding = changedTable(table, {
      put: async (item) => {
        if (isRecord(item)) {
          const id = item.put.pk.replace('LEAD#', '');
          await discardLead(adminOn(table), 'anna', id);
        }
        return table.put(item);
      },
    });
    const { lead_id } = await send(posted(), discarding);
    expect((await recordOf(lead_id))?.person).toBeUndefined();
  });

  it.each(['before', 'after'] as const)(
    'does not stay if it is written %s an erasure that found none',
    async (when) => {
      const { send, table, recordOf } = await aWorld();
      await expect(send(posted(), withoutRecords(table))).rejects.toThrow('ended');
      const [lead] = leadsAmong(await itemsOf(table));
      const late = consentStore.consentPut(
        consentStore.consentItem(lead!, posted().consent!.consent, 'a seed'),
      );
      const racing = interruptedTable(table, 'transact', () => table.put(late), {
        when,
        fits: (items) => JSON.stringify(items).includes('erased_at'),
      });
      await eraseLead(erasureOn(racing), 'ada', lead!.lead_id, 'request');
      expect(isGone(await recordOf(lead!.lead_id))).toBe(true);
      expect((await table.put(late)).ok).toBe(false);
    },
  );

  it('does not come back by a process that slept while its lead was erased', async () => {
    const { send, table, recordOf } = await aWorld();
    const { lead_id } = await send(posted());
    const lead = (await leadStore.get({ table }, lead_id))!;
    await eraseLead(erasureOn(table), 'ada', lead_id, 'request');
    const given = posted().consent!;
    await settleConsent(adminOn(table), lead, given, { recorded: 'other', isStored: true });
    expect(isGone(await recordOf(lead_id))).toBe(true);
  });

  it.each(['ignore', 'hold'] as const)(
    'counts as missing until a call repeats it, with the rule %s',
    async (consent) => {
      const { table, sendAll, outcomes } = await withoutRecord(1, { consent });
      await reconcile(intakeOn(table), -1000);
      if (consent === 'ignore') return expect(await outcomes()).toEqual([2]);
      expect(await outcomes()).toEqual(['consent_missing']);
      const [result] = await sendAll();
      const again = await distributeAgain(intakeOn(table), 'nina', result!.lead_id);
      expect(again).toMatchObject({ status: 'assigned', buyer_id: 'strict' });
    },
  );

  it('has a batch wait whose process ended before its records, also if the message is repeated', async () => {
    const { table, outcomes } = await withoutRecord(12);
    const context = intakeOn(table);
    await reconcile(context, -1000);
    expect(await outcomes()).toEqual(['consent_missing']);
    const [{ batch_id: id = '' } = {}] = (await itemsOf(table)).filter(({ pk }) =>
      String(pk).startsWith('BATCH#'),
    ) as { batch_id?: string }[];
    await distributeBatch(context, id);
    expect(await outcomes()).toEqual(['consent_missing']);
    await redistribute(context, new Date(Date.now() * 2));
    expect(await outcomes()).toEqual([2]);
  });

  it('is never later than its lead, because clocks differ', async () => {
    const { send, recordOf, table } = await aWorld();
    const ahead = new Date(Date.now() + 60_000).toISOString();
    const given = { ...A_CONSENT.consent, given_at: ahead, confirmed_at: ahead };
    const { lead_id } = await send({ ...posted(), consent: { consent: given, wording: 'Ja, bitte.' } });
    const at = (await leadStore.get({ table }, lead_id))?.received_at;
    expect(JSON.parse((await recordOf(lead_id))?.consent ?? '')).toMatchObject({
      given_at: at,
      confirmed_at: at,
    });
  });

  it('is not written after a lead was refused without it', async () => {
    const { send, table, recordOf } = await aWorld();
    await expect(send(posted(), withoutRecords(table))).rejects.toThrow('ended');
    const [lead] = leadsAmong(await itemsOf(table));
    const late = consentStore.consentPut(
      consentStore.consentItem(lead!, posted().consent!.consent, 'a seed'),
    );
    expect(await refuseWithdrawn(adminOn(table), lead!)).toBe(true);
    expect((await table.put(late)).ok).toBe(false);
    expect(isGone(await recordOf(lead!.lead_id))).toBe(true);
  });

  it('writes a wording once for many leads', async () => {
    const { table, send } = await aWorld();
    let writes = 0;
    const counting = changedTable(table, {
      put: async (item) => {
        if (JSON.stringify(item).includes('CONSENTTEXT')) writes += 1;
        return table.put(item);
      },
    });
    for (const external_id of ['1', '2', '3']) await send({ ...posted(), external_id }, counting);
    expect(writes).toBe(1);
  });
});

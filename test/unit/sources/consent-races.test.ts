/** The consent of a posted lead, written in parallel with the lead: crashes, repeated calls, and two calls with one ID. */
import { describe, expect, it } from 'vitest';
import type { ConsentItem } from '#functions/data/leads/consent';
import * as consentStore from '#functions/data/leads/consent';
import * as leadStore from '#functions/data/leads/lead-store';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { discardLead } from '#functions/domain/leads/leads';
import { ingestPosted, type PostedLead } from '#functions/domain/sources/intake';
import { aPerson } from '#test/factories/people';
import { aSource } from '#test/factories/sources';
import { adminOn, changedTable } from '#test/harness/distribution';
import { addSources, intakeOn } from '#test/harness/intake';
import { memoryTable } from '#test/harness/memory-table';

const PERSON = aPerson();
const posted = (content = 'same', vorname = 'Anna'): PostedLead => ({
  external_id: 'form-1',
  person: { ...PERSON, vorname },
  content,
  consent: {
    consent: {
      given_at: '2026-01-01T00:00:00.000Z',
      method: 'form',
      channels: ['phone'],
      text: 'a hash',
    },
    wording: 'Ja, bitte.',
  },
});

async function aWorld() {
  const table = memoryTable();
  const [source = aSource()] = await addSources(table, 1);
  const send = async (lead: PostedLead, on: Table = table) =>
    (await ingestPosted(intakeOn(on), source, [lead], 1))[0]!;
  const recordOf = (leadId: string): Promise<ConsentItem | undefined> => consentStore.get({ table }, leadId);
  return { table, send, recordOf };
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

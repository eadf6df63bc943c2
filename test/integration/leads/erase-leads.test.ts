/** Nothing that a person told us, or that was written about them, outlives a discarded or an erased lead. */
import { describe, expect } from 'vitest';
import { personSchema } from '#functions/data/leads/lead';
import { blanked, personalFields } from '#functions/data/personal';
import { leadSchemas } from '#shared/contract/schemas/leads';
import type { TestCloud } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

let cloud: TestCloud;
it.beforeAll(({ cloud: started }) => {
  cloud = started;
});

const PERSON = {
  anrede: 'Frau',
  vorname: 'Erika',
  nachname: 'Mustermann',
  email: 'erika.mustermann@web.example.org',
  telefon: '+49 151 23456789',
  anlagebetrag: 25_000,
  laufzeit: 24,
} as const;

/**
 * What is planted begins so: three letters are the shortest beginning of a word that still tells a person. Not after a
 * letter or digit, for there they stand by chance: once in a few thousand ids.
 */
const MARKER = /(?<![0-9a-z])qzx/i;

/** Every field that a call takes of a person, also one that nobody has thought of here, filled with a text to look for. */
function planted(id: 'createLead' | 'updateLead', text: string): Record<string, unknown> {
  const staying = new Set(personalFields(personSchema).filter((name) => !(name in blanked(personSchema))));
  return Object.fromEntries(
    Object.entries(leadSchemas[id].body.shape).flatMap(([name, schema]) => {
      const value = [text, `${text}@example.org`].find((candidate) => schema.safeParse(candidate).success);
      return value === undefined || staying.has(name) || name === 'buyer_id' ? [] : [[name, value]];
    }),
  );
}

const withSets = (_: string, value: unknown) => (value instanceof Set ? [...value] : value);

/** The keys of all items in which something planted stands. */
async function knowing(): Promise<string[]> {
  await cloud.settled();
  const found: string[] = [];
  for await (const items of cloud.table.scan())
    for (const item of items)
      if (MARKER.test(JSON.stringify(item, withSets))) found.push(`${String(item.pk)} ${String(item.sk)}`);
  return found;
}

describe('the person of', () => {
  it('a discarded lead is gone', async () => {
    const { lead_id: leadId, status } = await cloud.admin.ok(
      'createLead',
      { body: { ...PERSON, ...planted('createLead', 'qzxalt') } },
      { 'idempotency-key': 'a-key-of-the-clients-own' },
    );
    expect(status).toBe('ineligible');
    await cloud.admin.ok('updateLead', { params: { leadId }, body: planted('updateLead', 'qzxneu') });
    expect(await knowing()).toEqual(
      expect.arrayContaining([`LEAD#${leadId} LEAD`, expect.stringContaining(`AUDIT#lead#${leadId}`)]),
    );
    await cloud.admin.ok('discardPendingLead', { params: { leadId } });
    expect(await knowing()).toEqual([]);
    const { lead } = await cloud.admin.ok('getLead', { params: { leadId } });
    expect(lead).toMatchObject({ status: 'discarded', vorname: '', email: '', anlagebetrag: 25_000 });
  });
});

/** Ingestion from sources on a table, without keys and HTTP. */

import { createHash } from 'node:crypto';
import type { Person } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import type { Source } from '#functions/data/sources/source';
import * as sourceStore from '#functions/data/sources/source-store';
import type { Table } from '#functions/data/table/table';
import { type IntakeContext, ingestPosted } from '#functions/domain/sources/intake';
import type { Runtime } from '#functions/platform/runtime';
import { aPerson } from '#test/factories/people';
import { aSource } from '#test/factories/sources';
import { ingestionOn, quietRuntime } from '#test/harness/distribution';

const hashed = (what: string) => createHash('sha256').update(what).digest('hex');
export const fingerprintsOf = async ({ telefon, email }: Person) => [
  hashed(`phone ${telefon}`),
  hashed(`email ${email}`),
];

export function intakeOn(table: Table, runtime: Runtime = quietRuntime) {
  return { ...ingestionOn(table, { runtime }), fingerprintsOf };
}

let counter = 0;
/**
 * Posts one lead, always of the same person except for the changes.
 * @returns its result
 */
export async function post(
  table: Table,
  source: Source,
  changes: { readonly telefon?: string; readonly email?: string } = {},
  deps: IntakeContext = intakeOn(table),
  externalId?: string,
) {
  counter += 1;
  const person = { ...aPerson({ telefon: '+491701', email: 'a@example.org' }), ...changes };
  const external_id = externalId ?? `lead-${counter}`;
  const [result] = await ingestPosted(deps, source, [{ external_id, person, content: external_id }], 1);
  if (result === undefined || !('lead_id' in result)) throw new Error('No result');
  return result;
}

/** Stores sources, numbered from 1. */
export async function addSources(
  table: Table,
  count: number,
  changes: Partial<Source> = {},
): Promise<Source[]> {
  const sources = Array.from({ length: count }, (_, at) => aSource({ source: at + 1, ...changes }));
  for (const source of sources) await table.transact(sourceStore.created(source));
  return sources;
}

export const buyerOf = async (table: Table, { lead_id }: { lead_id: string }) =>
  (await leadStore.get(intakeOn(table), lead_id))?.buyer;

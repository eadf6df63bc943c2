/** Idempotency keys, so that a lead posted again after a lost answer is stored once. */

import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import { personal } from '#functions/data/personal';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { keys } from '#functions/data/table/keys';

export const namedSchema = z.object({
  lead_id: z.string(),
  /** A hash of the request. */
  fingerprint: personal(z.string()),
  taken_at: z.string(),
});
export type NamedLead = z.output<typeof namedSchema>;

const TTL_SECONDS = 24 * 3600;

/** Of an erased person's lead. */
export const NO_FINGERPRINT = '';

export const intakeKeyName = (key: string): string => createHash('sha256').update(key).digest('hex');
const tableKey = (key: string) => keys.intakeKey(intakeKeyName(key));

/** Takes the key unless another lead has it. @returns the lead that has the key */
export async function take({ table }: DataContext, key: string, lead: NamedLead): Promise<NamedLead> {
  const seconds = epochSeconds(new Date(lead.taken_at));
  const written = await table.put({
    put: { ...tableKey(key), ...lead, expires_at: seconds + TTL_SECONDS },
    condition: 'attribute_not_exists(pk) OR expires_at <= :now',
    values: { ':now': seconds },
  });
  return written.ok ? lead : namedSchema.parse(written.item);
}

/** Continues for a request that died; the lead keeps its ID. @returns true for one of several concurrent requests */
export async function takeOver(
  { table }: DataContext,
  key: string,
  expected: NamedLead,
  mine: NamedLead,
): Promise<boolean> {
  const written = await table.update({
    key: tableKey(key),
    update: 'SET taken_at = :at, taken_by = :me',
    condition: 'lead_id = :lead AND taken_at = :expected',
    values: {
      ':at': mine.taken_at,
      ':me': mine.lead_id,
      ':lead': expected.lead_id,
      ':expected': expected.taken_at,
    },
  });
  return written.item?.taken_by === mine.lead_id;
}

/** For a lead that was refused. */
export async function release({ table }: DataContext, key: string, leadId: string): Promise<void> {
  await table.delete({
    delete: tableKey(key),
    condition: 'lead_id = :lead',
    values: { ':lead': leadId },
  });
}

/** The key stays taken. @param name of `intakeKeyName` */
export async function forget({ table }: DataContext, name: string, leadId: string): Promise<void> {
  await table.update({
    key: keys.intakeKey(name),
    update: 'SET fingerprint = :none',
    condition: 'lead_id = :lead',
    values: { ':none': NO_FINGERPRINT, ':lead': leadId },
  });
}

/** What clients called the leads they posted, so that one posted again after a lost answer is taken in once. */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { personal } from '#functions/data/personal';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';

export const namedSchema = z.object({
  lead_id: z.string(),
  /** Of what was posted under the key. */
  fingerprint: personal(z.string(), { kept: 'a hash, and gone within a day' }),
  taken_at: z.string(),
});
export type NamedLead = z.output<typeof namedSchema>;

export interface IntakeKeyStore {
  /** Gives the key to this lead, unless it has one already. @returns the lead that has it */
  take(key: string, lead: NamedLead): Promise<NamedLead>;
  /**
   * Goes on for whoever took the key and died; the lead keeps the id that was promised.
   * @returns whether it is the one that goes on: of several at once only one does
   */
  takeOver(key: string, seen: NamedLead, mine: NamedLead): Promise<boolean>;
  /** The lead was refused: the key is free again. */
  release(key: string, leadId: string): Promise<void>;
}

/** Seconds for which a key is remembered. */
const REMEMBERED = 24 * 3600;

const place = (key: string) => keys.intakeKey(createHash('sha256').update(key).digest('hex'));

export function createIntakeKeyStore(table: Table): IntakeKeyStore {
  return {
    async take(key, lead) {
      const seconds = Math.floor(Date.parse(lead.taken_at) / 1000);
      const written = await table.put({
        put: { ...place(key), ...lead, expires_at: seconds + REMEMBERED },
        condition: 'attribute_not_exists(pk) OR expires_at <= :now',
        values: { ':now': seconds },
      });
      return written.ok ? lead : namedSchema.parse(written.item);
    },

    async takeOver(key, seen, mine) {
      const written = await table.update({
        key: place(key),
        update: 'SET taken_at = :at, taken_by = :me',
        condition: 'lead_id = :lead AND taken_at = :seen',
        values: { ':at': mine.taken_at, ':me': mine.lead_id, ':lead': seen.lead_id, ':seen': seen.taken_at },
      });
      return written.item?.taken_by === mine.lead_id;
    },

    async release(key, leadId) {
      await table.delete({
        delete: place(key),
        condition: 'lead_id = :lead',
        values: { ':lead': leadId },
      });
    },
  };
}

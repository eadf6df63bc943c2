/** What was known about a claim when it was filed and when it was decided, without personal data. */

import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import { newItem } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';
import type { Put } from '#functions/data/table/table';
import { CHANNELS } from '#shared/channels/channels';
import { checkRow } from '#shared/contract/rows/check';
import { attempt } from '#shared/contract/rows/delivery';
import {
  ADDRESS_STATES,
  CLAIM_RULES,
  CLAIM_STATUSES,
  DELIVERY_STATUSES,
  FEEDBACKS,
} from '#shared/rules/constants';

export type Checked = z.output<typeof checkRow>;

const SAME_BY = ['phone', 'email'] as const;

const knownAddressSchema = z.object({
  state: z.enum(ADDRESS_STATES),
  at: z.string(),
  /** As reported by the mail server, such as `5.1.1`. */
  code: z.nullable(z.string()),
});

const evidenceSchema = z.object({
  at: z.string(),
  assigned_at: z.string(),
  checks: z.array(checkRow),
  /** Earlier leads of the person that the same buyer has, oldest first. */
  duplicates: z.array(
    z.object({
      lead_id: z.string(),
      order_id: z.int(),
      sequence: z.int(),
      delivered_at: z.string(),
      same: z.array(z.enum(SAME_BY)),
      claim_status: z.nullable(z.enum(CLAIM_STATUSES)),
    }),
  ),
  /** Later leads of the person that the same buyer has, with pending or approved claims. */
  claimed_later: z._default(
    z.array(
      z.object({
        lead_id: z.string(),
        order_id: z.int(),
        sequence: z.int(),
        same: z.array(z.enum(SAME_BY)),
        claim_status: z.enum(CLAIM_STATUSES),
      }),
    ),
    [],
  ),
  deliveries: z.array(
    z.object({
      channel: z.enum(CHANNELS),
      status: z.enum(DELIVERY_STATUSES),
      attempts: z.array(z.pick(attempt, { at: true, outcome: true })),
    }),
  ),
  delivered_at: z.nullable(z.string()),
  opened_at: z.nullable(z.string()),
  /** The claims of the source's leads in the days before; null without a source. */
  source_claims: z.nullable(
    z.object({ days: z.int(), filed: z.int(), approved: z.int(), rejected: z.int() }),
  ),
  feedback: z.nullable(z.object({ said: z.enum(FEEDBACKS), at: z.string() })),
  address: z.nullable(knownAddressSchema),
});
export type Evidence = z.output<typeof evidenceSchema>;

const automaticDecisionSchema = z.object({
  rule: z.enum(CLAIM_RULES),
  status: z.enum(['approved', 'rejected']),
});

const frozenSchema = z.object({
  ...evidenceSchema.shape,
  automatic: z.nullable(automaticDecisionSchema),
});
export type FrozenEvidence = z.output<typeof frozenSchema>;

type EvidenceStage = 'filed' | 'decided';

async function read({ table }: DataContext, claimId: number, stages: readonly EvidenceStage[]) {
  const items = await table.getMany(stages.map((stage) => keys.claimEvidence(claimId, stage)));
  return items.map((item) => item && frozenSchema.parse(JSON.parse(String(item.evidence))));
}

export async function ofClaim(
  context: DataContext,
  claimId: number,
): Promise<Readonly<Record<EvidenceStage, FrozenEvidence | undefined>>> {
  const [filed, decided] = await read(context, claimId, ['filed', 'decided']);
  return { filed, decided };
}

/** @returns the first evidence that was written */
export async function keepFiled(
  context: DataContext,
  claimId: number,
  evidence: FrozenEvidence,
): Promise<FrozenEvidence> {
  const written = await context.table.put(evidenceKept(claimId, 'filed', evidence));
  if (written.ok) return evidence;
  const [first] = await read(context, claimId, ['filed']);
  return first ?? evidence;
}

/** Fails if something is stored already. Text is smaller than nested attributes. */
export function evidenceKept(claimId: number, stage: EvidenceStage, evidence: FrozenEvidence): Put {
  return newItem(keys.claimEvidence(claimId, stage), { evidence: JSON.stringify(evidence) });
}

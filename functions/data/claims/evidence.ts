/**
 * What was known of a claim at an instant. It is kept beside the claim as it was, once when the claim was filed and once when
 * it was decided: ids, codes, counts and instants (UTC), nothing that says something about the person without the lead.
 */

import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
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

/** A check of a lead's data: at its intake, or again because of the claim. */
export type Checked = z.output<typeof checkRow>;

const SAME_BY = ['phone', 'email'] as const;

/** What is known against an address. */
const knownAddressSchema = z.object({
  state: z.enum(ADDRESS_STATES),
  at: z.string(),
  /** That of the mail server, such as `5.1.1`. */
  code: z.nullable(z.string()),
});

const evidenceSchema = z.object({
  /** When this was looked up. */
  at: z.string(),
  assigned_at: z.string(),
  checks: z.array(checkRow),
  /** Earlier leads of the person that the same buyer has, the oldest first. */
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
  /** Later leads of the person that the same buyer has, and whose claims are pending or approved. */
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
  /** When a channel first delivered the lead. */
  delivered_at: z.nullable(z.string()),
  /** When the buyer first opened its list with the lead in it. */
  opened_at: z.nullable(z.string()),
  /** The claims of the leads that came from the source in the days before; null for a lead of no source. */
  source_claims: z.nullable(
    z.object({ days: z.int(), filed: z.int(), approved: z.int(), rejected: z.int() }),
  ),
  feedback: z.nullable(z.object({ said: z.enum(FEEDBACKS), at: z.string() })),
  address: z.nullable(knownAddressSchema),
});
export type Evidence = z.output<typeof evidenceSchema>;

/** What a rule says of a claim. */
const provenSchema = z.object({
  rule: z.enum(CLAIM_RULES),
  status: z.enum(['approved', 'rejected']),
});

const frozenSchema = z.object({
  ...evidenceSchema.shape,
  /** What followed by a rule; null where none fits. */
  proven: z.nullable(provenSchema),
});
/** The evidence with what follows from it. */
export type FrozenEvidence = z.output<typeof frozenSchema>;

type EvidenceStage = 'filed' | 'decided';

async function read({ table }: DataContext, claimId: number, stages: readonly EvidenceStage[]) {
  const items = await table.getMany(stages.map((stage) => keys.claimEvidence(claimId, stage)));
  return items.map((item) => item && frozenSchema.parse(JSON.parse(String(item.evidence))));
}

/** What was known when it was filed and when it was decided; undefined where nothing was kept. */
export async function ofClaim(
  context: DataContext,
  claimId: number,
): Promise<Readonly<Record<EvidenceStage, FrozenEvidence | undefined>>> {
  const [filed, decided] = await read(context, claimId, ['filed', 'decided']);
  return { filed, decided };
}

/** Keeps what was known when a claim was filed. @returns what is kept: the first that was written */
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

/** The write of what was known, on the condition that nothing is kept yet. As text, which is smaller than nested attributes. */
export function evidenceKept(claimId: number, stage: EvidenceStage, evidence: FrozenEvidence): Put {
  return {
    put: { ...keys.claimEvidence(claimId, stage), evidence: JSON.stringify(evidence) },
    condition: 'attribute_not_exists(pk)',
  };
}

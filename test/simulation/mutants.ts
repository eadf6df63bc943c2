/**
 * Faults in the protection against concurrency, each simulated at the boundary to the table: a condition loses a part,
 * a fence or a fingerprint is left out, a write is dropped. The simulator must find every one.
 */

import type { Rewrite } from '#test/simulation/outside';
import {
  dropping,
  overwriting,
  rewriting,
  unconditional,
  updating,
  without,
} from '#test/simulation/rewriting';
import { type NamedWorld, SMALL_WORLDS } from '#test/simulation/small-worlds';
import { RESERVE } from '#test/simulation/writes';

export interface Mutant {
  readonly name: string;
  /** Undefined for faults planted as text. */
  readonly rewrite?: Rewrite | undefined;
  /** The small world with an interleaving that detects the mutant; seeds detect the others. */
  readonly world?: NamedWorld | undefined;
}

/** Mutants that a seed detects soon. Rare races have a small world that detects them. */
const BY_SEED: Readonly<Record<string, Rewrite>> = {
  'an order reserves beyond its limit': without(RESERVE, /leads_received < lead_limit/),
  'a repeated batch overwrites its leads': overwriting(/\/LEAD$/, (lead) => 'batch_id' in lead),
  'an order exceeds its daily cap': without(RESERVE, /pace\.day_received < pace\.day_allowance/),
  'an original lead is reserved while a replacement is owed': without(
    RESERVE,
    /reimbursement_pending = :zero/,
  ),
  'a replacement is reserved although none is owed': without(RESERVE, /reimbursement_pending > :zero/),
  'a repeated reservation counts twice': without(
    RESERVE,
    /attribute_not_exists\(reservations\.#key\) AND attribute_not_exists\(replacement_reservations\.#key\)/,
  ),
  'two reconciliations take over the same attempt': without(
    /distribution_attempt = :next/,
    /AND distribution_attempt = :expected/,
  ),
  'the backlog restarts a lead that is no longer pending': without(
    /#status = :received, distribution_attempt = :attempt, in_flight_since/,
    /#status = :pending AND distribution_attempt = :expected/,
  ),
  'a repeated intake overwrites the lead': overwriting(/\/LEAD$/, (lead) =>
    String(lead.gsi1pk).startsWith('INFLIGHT'),
  ),
  'an earlier attempt overwrites the decision': overwriting(/\/DECISION$/),
  'the ledger of shares loses updates': unconditional(/^POOL\/LEDGER .*deficits = :deficits/),
  'a pool entry loses updates': unconditional(/^POOL\/ENTRY#\S+ version = :expected $/),
  'the sum of the weights is not guarded': unconditional(/^POOL\/WEIGHTS/),
  'capacity is recorded for another order': unconditional(/has_capacity = :capacity/),
  'a buyer loses updates': unconditional(/^BUYERS\/.*version = :/),
  'two workers claim the same delivery attempt': unconditional(/^LEAD#\S+\/DELIVERY#.*sending_by = :by/),
  'a renewed link stays valid': dropping(/^TOKEN#\S+ +$/, ({ Key }) => Key !== undefined),
  'a lead is counted from an outdated count': unconditional(/^\S*(STATISTICS|COUNTED)/),
  'a repeated transaction has no token': ({ name, input }) => {
    const { ClientRequestToken: _, ...rest } = input;
    return { name, input: name === 'TransactWriteCommand' ? rest : input };
  },
  'a used idempotency key is taken again': overwriting(/^INTAKE#/),
  'a new order has no entry for its replacements': dropping(
    /^REPLACEMENTS#/,
    ({ Item }) => Item?.kind === 'delivery',
  ),
  'a person fingerprint is taken from others': overwriting(/^PERSON#/),
  'a source exceeds its limit': without(/minute_left >= :leads/, /total_left >= :leads/),
  'open callbacks are not checked': ({ name, input }) => {
    const values = Object.entries(input.ExpressionAttributeValues ?? {});
    const isOpen = (value: unknown) => typeof value === 'string' && value.startsWith('CALLBACK#open');
    if (name !== 'QueryCommand' || !values.some(([, value]) => isOpen(value))) return { name, input };
    const changed = values.map(([key, value]) => [key, isOpen(value) ? 'nothing' : value]);
    return { name, input: { ...input, ExpressionAttributeValues: Object.fromEntries(changed) } };
  },
  'a recovery code works twice': unconditional(/^RECOVERYCODES/),
  'a changed password leaves sessions open': updating(
    /^SET password_hash = :hash, epoch = :epoch$/,
    'SET password_hash = :hash',
  ),
  'wrong passwords are not counted': rewriting((write) =>
    String(write.Key?.pk).startsWith('THROTTLE#') && write.UpdateExpression !== undefined
      ? {
          ...write,
          UpdateExpression: 'SET #count = #count',
          ExpressionAttributeValues: { ':now': write.ExpressionAttributeValues?.[':now'] },
        }
      : write,
  ),
};

export const MUTANTS: readonly Mutant[] = [
  ...Object.entries(BY_SEED).map(([name, rewrite]) => ({ name, rewrite })),
  ...SMALL_WORLDS.flatMap((world) =>
    Object.entries(world.shows ?? {}).map(([name, rewrite]) => ({ name, rewrite, world })),
  ),
];

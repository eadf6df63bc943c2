/** The writes that remove personal data, in their own file because most functions need none of them. */

import type * as z from 'zod/mini';
import { type Claim, claimSchema } from '#functions/data/claims/claim';
import {
  type Delivery,
  deliverySchema,
  type Lead,
  leadSchema,
  type Refusal,
  wholePerson,
} from '#functions/data/leads/lead';
import { blanked } from '#functions/data/personal';
import { callbackSchema, subjectOf } from '#functions/data/sources/callback';
import { type AnyCallback, KEPT_SECONDS } from '#functions/data/sources/callback-store';
import { blanking } from '#functions/data/table/blanking';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { indexed, keys } from '#functions/data/table/keys';
import { asRead, type Update } from '#functions/data/table/table';

/** The fields that an erasure removes and that still hold a value. */
export function notBlank(
  schema: { readonly shape: Readonly<Record<string, z.ZodMiniType>> },
  item: Readonly<Record<string, unknown>>,
): string[] {
  return Object.entries(blanked(schema)).flatMap(([name, blank]) =>
    JSON.stringify(item[name]) === JSON.stringify(blank) ? [] : [name],
  );
}

/** Takes a lead without a buyer out of distribution permanently. A running attempt can no longer assign it. */
export function leadErased(lead: Lead, at: string): Update {
  const blanks = blanking(leadSchema);
  const expected = asRead(wholePerson(lead));
  const leaves = lead.status === 'received' || lead.status === 'pending';
  return {
    key: keys.lead(lead.lead_id),
    update: `SET erased_at = :at, ${blanks.sets.join(', ')}${
      leaves ? ', #status = :discarded, deleted_at = :at, distribution_attempt = :next' : ''
    } REMOVE ${[
      ...blanks.removes,
      ...(leaves ? ['gsi1pk', 'gsi1sk', 'in_flight_since', 'batch_id', 'chosen_buyer', 'chosen_by'] : []),
    ].join(', ')}`,
    // A concurrent edit or claim would leave the person in the audit trail or among the claim's words.
    condition: `#status = :status AND distribution_attempt = :attempt AND ${
      lead.erased_at === undefined ? 'attribute_not_exists(erased_at)' : 'attribute_exists(erased_at)'
    } AND ${
      lead.claim_id === undefined ? 'attribute_not_exists(claim_id)' : 'attribute_exists(claim_id)'
    } AND ${expected.condition}`,
    names: { ...blanks.names, ...expected.names, '#status': 'status' },
    values: {
      ...blanks.values,
      ...expected.values,
      ':status': lead.status,
      ':attempt': lead.distribution_attempt,
      ':at': at,
      ...(leaves && { ':discarded': 'discarded', ':next': lead.distribution_attempt + 1 }),
    },
  };
}

/** Fails an open delivery in a new series, so that a worker still sending it cannot record its outcome. */
export const deliveryErased = (delivery: Delivery, now: Date): Update =>
  deliveryEnded(delivery, now, blanking(deliverySchema));

/** The same without a change of what it holds. */
export function deliveryEnded(
  delivery: Delivery,
  now: Date,
  blanks: Pick<ReturnType<typeof blanking>, 'sets' | 'names' | 'values'> = {
    sets: [],
    names: {},
    values: {},
  },
): Update {
  const rests = delivery.status === 'delivered';
  return {
    key: keys.delivery(delivery.lead_id, delivery.channel),
    update: `SET ${[...blanks.sets, ...(rests ? [] : ENDED), ...(rests ? [] : LISTED)].join(', ')}${
      rests ? '' : ` REMOVE ${ENDED_REMOVES}, unreported, gsi2pk, gsi2sk`
    }`,
    condition: 'updated_at = :expected AND #series = :series',
    names: { ...blanks.names, '#series': 'series', ...(!rests && { '#status': 'status' }) },
    values: {
      ...blanks.values,
      ':expected': delivery.updated_at,
      ':series': delivery.series,
      ...(!rests && {
        ...endedValues(delivery.series, now),
        ':list': indexed.buyerDeliveries(delivery.buyer),
        ':listed': indexed.at(delivery.created_at, delivery.lead_id),
      }),
    },
  };
}

/** This delivery is no longer sent. */
export function refusedDeliveryErased(
  { distribution_attempt }: Refusal,
  { lead_id, channel }: Delivery,
): Update {
  const blanks = blanking(deliverySchema);
  return {
    key: keys.refusedDelivery(lead_id, distribution_attempt, channel),
    update: `SET ${blanks.sets.join(', ')}${
      blanks.removes.length === 0 ? '' : ` REMOVE ${blanks.removes.join(', ')}`
    }`,
    condition: 'attribute_exists(pk)',
    names: blanks.names,
    values: blanks.values,
  };
}

/** A callback that has arrived, or was given up, expires as before. */
export function callbackErased(callback: AnyCallback, now: Date): Update {
  const blanks = blanking(callbackSchema);
  const isOpen = callback.status === 'pending' || callback.status === 'retrying';
  return {
    key: keys.callback(subjectOf(callback), callback.callback_id),
    update: `SET ${[...blanks.sets, ...(isOpen ? [...ENDED, 'expires_at = :expires'] : [])].join(', ')} REMOVE ${[
      ...blanks.removes,
      ...(isOpen ? [ENDED_REMOVES, 'gsi1pk', 'gsi1sk'] : []),
    ].join(', ')}`,
    condition: 'updated_at = :expected AND #series = :series',
    names: { ...blanks.names, '#series': 'series', ...(isOpen && { '#status': 'status' }) },
    values: {
      ...blanks.values,
      ':expected': callback.updated_at,
      ':series': callback.series,
      ...(isOpen && {
        ...endedValues(callback.series, now),
        ':expires': epochSeconds(now) + KEPT_SECONDS,
      }),
    },
  };
}

const ENDED = ['#status = :failed', '#series = :next', 'updated_at = :now', 'next_attempt_at = :null'];
const ENDED_REMOVES = 'sending_until, sending_by';
const LISTED = ['gsi1pk = :list', 'gsi1sk = :listed'];

const endedValues = (series: number, now: Date) => ({
  ':failed': 'failed',
  ':next': series + 1,
  ':now': now.toISOString(),
  ':null': null,
});

/** The claim's row in the lists is not changed. */
export function claimTextsErased(claim: Claim): Update {
  const blanks = blanking(claimSchema);
  return {
    key: keys.claim(claim.claim_id),
    update: `SET ${blanks.sets.join(', ')}`,
    condition: 'claim_status = :expected',
    names: blanks.names,
    values: { ...blanks.values, ':expected': claim.claim_status },
  };
}

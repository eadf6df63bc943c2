/** The writes that remove personal data. In their own file, as most functions need none of them. */

import { type Claim, claimSchema } from '#functions/data/claims/claim';
import { type Delivery, deliverySchema, type Lead, leadSchema } from '#functions/data/leads/lead';
import { type Callback, callbackSchema } from '#functions/data/sources/callback';
import { blanking } from '#functions/data/table/blanking';
import { keys } from '#functions/data/table/keys';
import type { Update } from '#functions/data/table/table';

/** Removes the personal data of a deleted or discarded lead, of its deliveries, and of what its source was told. */
export function leadErased(
  lead: Lead,
  deliveries: readonly Delivery[],
  callbacks: readonly Callback[],
): Update[] {
  return [
    blankingUpdate(leadSchema, {
      key: keys.lead(lead.lead_id),
      condition: 'deleted_at = :seen',
      values: { ':seen': lead.deleted_at },
    }),
    ...deliveries.map(({ channel, updated_at }) =>
      blankingUpdate(deliverySchema, {
        key: keys.delivery(lead.lead_id, channel),
        // A delivery attempt that ends at the same time would write personal data again.
        condition: 'updated_at = :seen',
        values: { ':seen': updated_at },
      }),
    ),
    ...callbacks.map(({ callback_id, updated_at }) =>
      blankingUpdate(callbackSchema, {
        key: keys.callback(lead.lead_id, callback_id),
        condition: 'updated_at = :seen',
        values: { ':seen': updated_at },
      }),
    ),
  ];
}

/** Removes the texts of buyer and admin from a claim; its row in the lists is not changed. */
export function claimTextsErased(claim: Claim): Update {
  return blankingUpdate(claimSchema, {
    key: keys.claim(claim.claim_id),
    condition: 'claim_status = :seen',
    values: { ':seen': claim.claim_status },
  });
}

function blankingUpdate(
  schema: Parameters<typeof blanking>[0],
  { key, condition, values }: Pick<Update, 'key' | 'condition' | 'values'>,
): Update {
  const blanks = blanking(schema);
  const parts = [
    ...(blanks.sets.length > 0 ? [`SET ${blanks.sets.join(', ')}`] : []),
    ...(blanks.removes.length > 0 ? [`REMOVE ${blanks.removes.join(', ')}`] : []),
  ];
  return {
    key,
    update: parts.join(' '),
    ...(condition !== undefined && { condition }),
    names: blanks.names,
    values: { ...blanks.values, ...values },
  };
}

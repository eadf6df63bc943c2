/** The writes that take a person out of the table; apart from the stores, which every function loads. */

import { type Claim, claimSchema } from '#functions/data/claims/claim';
import { type Delivery, deliverySchema, type Lead, leadSchema } from '#functions/data/leads/lead';
import { blanking } from '#functions/data/table/blanking';
import { keys } from '#functions/data/table/keys';
import type { Update } from '#functions/data/table/table';

/** What a lead that was deleted or discarded and its deliveries still hold of the person goes. */
export function leadErased(lead: Lead, deliveries: readonly Delivery[]): Update[] {
  return [
    blankingUpdate(leadSchema, {
      key: keys.lead(lead.lead_id),
      condition: 'deleted_at = :seen',
      values: { ':seen': lead.deleted_at },
    }),
    ...deliveries.map(({ channel, updated_at }) =>
      blankingUpdate(deliverySchema, {
        key: keys.delivery(lead.lead_id, channel),
        // An attempt that ends at this moment would write down again what it sent.
        condition: 'updated_at = :seen',
        values: { ':seen': updated_at },
      }),
    ),
  ];
}

/** What buyer and admin wrote goes; the row in the lists does not follow. */
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
  const gone = blanking(schema);
  const parts = [
    ...(gone.sets.length > 0 ? [`SET ${gone.sets.join(', ')}`] : []),
    ...(gone.removes.length > 0 ? [`REMOVE ${gone.removes.join(', ')}`] : []),
  ];
  return {
    key,
    update: parts.join(' '),
    ...(condition !== undefined && { condition }),
    names: gone.names,
    values: { ...gone.values, ...values },
  };
}

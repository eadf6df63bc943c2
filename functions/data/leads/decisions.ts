import { type Decision, decisionSchema } from '#functions/data/leads/lead';
import { keys } from '#functions/data/table/keys';
import type { Item, Put } from '#functions/data/table/table';

/** An earlier attempt cannot overwrite a later one. Nested attributes would take several times the size of JSON. */
export function decisionPut({ earlier_choice, ...decision }: Decision): Put {
  return {
    put: {
      ...keys.decision(decision.lead_id),
      ...decision,
      eligible: JSON.stringify(decision.eligible),
      not_eligible: JSON.stringify(decision.not_eligible),
      turn: earlier_choice && JSON.stringify(earlier_choice),
    },
    condition: 'attribute_not_exists(pk) OR distribution_attempt <= :attempt',
    values: { ':attempt': decision.distribution_attempt },
  };
}

export function decisionFromItem(item: Item): Decision {
  return decisionSchema.parse({
    ...item,
    eligible: JSON.parse(String(item.eligible)),
    not_eligible: JSON.parse(String(item.not_eligible)),
    earlier_choice: typeof item.turn === 'string' ? JSON.parse(item.turn) : undefined,
  });
}

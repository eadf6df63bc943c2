import { decisionFromItem } from '#functions/data/leads/decisions';
import { type Decision, type Lead, leadSchema } from '#functions/data/leads/lead';
import type { Item } from '#functions/data/table/table';
import {
  type Choice,
  chooseByNeed,
  chooseLargestDeficit,
  type Deficits,
  RULE,
} from '#functions/domain/distribution/share-rule';

export type Recomputed =
  | { readonly agrees: true; readonly choice: Choice | undefined }
  | { readonly agrees: false; readonly why: string };

export function recompute(decision: Decision): Recomputed {
  if (decision.rule !== RULE) return disagrees(`it was made by the unknown rule ${decision.rule}`);
  const candidates = decision.eligible.map(([buyer, weight]) => ({ buyer, weight }));
  const before: Deficits = new Map(decision.eligible.map(([buyer, , deficit]) => [buyer, deficit]));
  switch (decision.mode) {
    case 'manual': {
      if (decision.winner === null) return disagrees('an admin chose, but nobody is named');
      const { earlier_choice } = decision;
      const earlier =
        earlier_choice && recompute({ ...decision, ...earlier_choice, earlier_choice: undefined });
      return earlier?.agrees === false ? earlier : { agrees: true, choice: undefined };
    }
    case 'weights':
      if (candidates.length === 0)
        return decision.winner === null
          ? { agrees: true, choice: undefined }
          : disagrees(`buyer ${decision.winner} is named, but nobody was eligible`);
      return compared(decision, chooseLargestDeficit(decision.lead_id, candidates, before));
    case 'drawn':
      if (candidates.length === 0 || decision.draw === undefined)
        return disagrees('it was drawn, but not all that it was drawn from is recorded');
      return compared(decision, chooseByNeed(candidates, before, decision.draw));
  }
}

const disagrees = (why: string): Recomputed => ({ agrees: false, why });

function compared(decision: Decision, choice: Choice): Recomputed {
  return choice.winner === decision.winner
    ? { agrees: true, choice }
    : disagrees(`buyer ${decision.winner} is named, the rule chooses ${choice.winner}`);
}

function contradiction(lead: Lead, decision: Decision | undefined): string | undefined {
  const belongsToBuyer = lead.status === 'assigned' || lead.status === 'deleted';
  if (decision === undefined)
    return belongsToBuyer ? 'it was assigned, but there is no record of why' : undefined;
  const recomputed = recompute(decision);
  if (!recomputed.agrees) return recomputed.why;
  if (
    belongsToBuyer &&
    (decision.winner !== lead.buyer || decision.distribution_attempt !== lead.distribution_attempt)
  )
    return `it belongs to buyer ${lead.buyer}, the record is about buyer ${decision.winner}`;
  const intended =
    lead.status === 'pending' && lead.distribution_attempt === decision.distribution_attempt
      ? lead.intended_buyer
      : undefined;
  if (intended !== undefined && intended !== decision.winner)
    return `it is held for buyer ${intended}, the record is about buyer ${decision.winner}`;
  return undefined;
}

/** Uses constant memory. @param pages all items of the table */
export async function verifyDecisions(pages: AsyncIterable<readonly Item[]>) {
  let leads = 0;
  let agree = 0;
  const disagreements: { leadId: string; why: string }[] = [];
  const check = (lead: Lead, record: Item | undefined) => {
    const why = discrepancyOf(lead, record);
    if (why !== undefined) disagreements.push({ leadId: lead.lead_id, why });
    else if (record !== undefined) agree += 1;
  };
  // A lead and its decision record are in one partition, at most a page apart, so these maps stay small.
  const waiting = new Map<string, Lead>();
  const records = new Map<string, Item>();
  for await (const items of pages) {
    for (const item of items) {
      const partition = String(item.pk);
      if (item.sk === 'DECISION') {
        const lead = waiting.get(partition);
        if (lead === undefined) records.set(partition, item);
        else if (waiting.delete(partition)) check(lead, item);
      } else if (item.sk === 'LEAD') {
        leads += 1;
        const lead = leadSchema.parse(item);
        const record = records.get(partition);
        if (record === undefined) waiting.set(partition, lead);
        else if (records.delete(partition)) check(lead, record);
      }
    }
  }
  for (const lead of waiting.values()) check(lead, undefined);
  for (const partition of records.keys())
    disagreements.push({ leadId: partition, why: 'there is a record, but no lead' });
  return { leads, agree, undecided: leads - agree - disagreements.length, disagreements };
}

function discrepancyOf(lead: Lead, record: Item | undefined): string | undefined {
  let decision: Decision | undefined;
  try {
    decision = record && decisionFromItem(record);
  } catch {
    return 'its record cannot be read';
  }
  return contradiction(lead, decision);
}

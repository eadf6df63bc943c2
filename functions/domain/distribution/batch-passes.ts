/**
 * A pass of a batch: the choices for its leads in flight, made sequentially by the share rule. A pass stores everything
 * that its choices depend on, so they and their decision records can be recomputed. Pure.
 */

import type { BatchLead, BatchPass, PassEntry, PassLead } from '#functions/data/distribution/batch-store';
import type { Refusal } from '#functions/data/orders/reservation-store';
import { ordersOf } from '#functions/domain/distribution/capacity-ahead';
import {
  byLargestDeficit,
  chooseAll,
  type Rule,
  type SettledChoice,
} from '#functions/domain/distribution/choices';
import {
  type EligibilitySplit,
  type Refused,
  splitByEligibility,
  withoutFull,
} from '#functions/domain/distribution/eligibility';
import { type Choice, chooseByNeed } from '#functions/domain/distribution/share-rule';
import type { PendingReason } from '#shared/rules/constants';

export interface Wanting extends BatchLead {
  readonly position: number;
  readonly failed: PendingReason | undefined;
  readonly instead: Choice | undefined;
}

export interface Chosen {
  readonly position: number;
  readonly pass: number;
  readonly decided_at: string;
  readonly failed: PendingReason | undefined;
  readonly choice: SettledChoice | undefined;
  readonly winner: PassEntry | undefined;
  readonly eligible: EligibilitySplit['candidates'];
  readonly notEligible: EligibilitySplit['notEligible'];
}

type Plan = Omit<BatchPass, 'leads'>;

const NOBODY: EligibilitySplit = { candidates: [], notEligible: {} };

export function chooseForPass(plan: Plan, wanting: readonly Wanting[], rule: Rule) {
  const refused = refusedIn(plan);
  const at = new Date(plan.decided_at);
  const split = wanting.map((lead) =>
    lead.failed === undefined ? splitByEligibility(plan.entries, lead, at, { refused }) : NOBODY,
  );
  const orderOf = ordersOf(plan.entries);
  const { choices, changes, taking } = chooseAll(
    wanting.map(({ lead_id, instead }, index) => ({
      leadId: lead_id,
      candidates: split[index]?.candidates ?? [],
      instead,
      orderOf,
    })),
    plan,
    rule,
    new Map((plan.left ?? []).map(([order, leads, refusal]) => [order, { leads, refusal }])),
  );
  const chosen = wanting.map(({ position, failed }, index): Chosen => {
    const choice = choices[index];
    const of = withoutFull(split[index] ?? NOBODY, choice?.full ?? []);
    return {
      position,
      pass: plan.pass,
      decided_at: plan.decided_at,
      failed,
      choice,
      winner: plan.entries.find(({ buyer }) => buyer === choice?.winner),
      eligible: of.candidates,
      notEligible: of.notEligible,
    };
  });
  return { chosen, changes, taking };
}

function refusedIn({ full, capped = [] }: Plan): Refused {
  return new Map<number, Refusal>([...full.map((buyer) => [buyer, 'limit_reached'] as const), ...capped]);
}

export function passLeads(chosen: readonly Chosen[]): PassLead[] {
  return chosen.map(({ position, choice, failed }) => ({
    position,
    winner: choice?.winner ?? null,
    ...(choice?.draw !== undefined && { draw: choice.draw }),
    ...(failed !== undefined && { failed }),
  }));
}

/** @returns the last choice of each lead by position @throws Error if a choice cannot be reproduced, because the rule has changed */
export function repeatPasses(
  leads: readonly BatchLead[],
  passes: readonly BatchPass[],
): ReadonlyMap<number, Chosen> {
  const last = new Map<number, Chosen>();
  for (const pass of passes) {
    const draws = new Map(pass.leads.map(({ position, draw }) => [leads[position]?.lead_id, draw]));
    const wanting = pass.leads.flatMap(({ position, failed }): Wanting[] => {
      const lead = leads[position];
      return lead === undefined ? [] : [{ ...lead, position, failed, instead: last.get(position)?.choice }];
    });
    const again: Rule = (request, deficits) => {
      const draw = draws.get(request.leadId);
      if (draw === undefined) return byLargestDeficit(request, deficits);
      return { ...chooseByNeed(request.candidates, deficits, draw), mode: 'drawn', draw };
    };
    for (const [at, chosen] of chooseForPass(pass, wanting, again).chosen.entries()) {
      if ((chosen.choice?.winner ?? null) !== pass.leads[at]?.winner)
        throw new Error('The choices of a batch pass cannot be reproduced');
      last.set(chosen.position, chosen);
    }
  }
  return last;
}

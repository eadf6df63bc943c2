/** The choices for several leads, made sequentially on the same deficits. For single leads and batches. Pure. */
import type { Refusal } from '#functions/data/orders/reservation-store';
import type { LeftByOrder, TakingOrder } from '#functions/domain/distribution/capacity-ahead';
import {
  type Candidate,
  type Choice,
  chooseByNeed,
  chooseLargestDeficit,
  type Deficits,
  figuresByBuyer,
} from '#functions/domain/distribution/share-rule';
import type { Runtime } from '#functions/platform/runtime';

export interface SettledChoice extends Choice {
  readonly mode: 'weights' | 'drawn';
  readonly draw?: number;
  readonly before: Deficits;
  readonly full: readonly (readonly [buyer: number, refusal: Refusal])[];
}

export interface ChoiceRequest {
  readonly leadId: string;
  readonly candidates: readonly Candidate[];
  readonly instead: Choice | undefined;
  readonly orderOf: (buyer: number) => TakingOrder | undefined;
}

export interface Choices {
  readonly choices: readonly (SettledChoice | undefined)[];
  readonly changes: Deficits;
  readonly taking: readonly TakingOrder[];
}

export type Rule = (
  request: Pick<ChoiceRequest, 'leadId' | 'candidates'>,
  deficits: Deficits,
) => Omit<SettledChoice, 'before' | 'full'>;

export const byLargestDeficit: Rule = ({ leadId, candidates }, deficits) => ({
  ...chooseLargestDeficit(leadId, candidates, deficits),
  mode: 'weights',
});

/** The rule after repeated conflicts over the ledger. */
export const byNeed =
  ({ random }: Pick<Runtime, 'random'>): Rule =>
  ({ candidates }, deficits) => {
    const draw = random();
    return { ...chooseByNeed(candidates, deficits, draw), mode: 'drawn', draw };
  };

export function chooseAll(
  requests: readonly ChoiceRequest[],
  ledger: { readonly deficits: Readonly<Record<string, number>> },
  rule: Rule,
  left: LeftByOrder = new Map(),
): Choices {
  const deficits = figuresByBuyer(ledger.deficits);
  const changes = new Map<number, number>();
  const remaining = new Map(left);
  const taking: TakingOrder[] = [];
  const change = (by: Deficits, sign: 1 | -1) => {
    for (const [buyer, shares] of by) {
      deficits.set(buyer, (deficits.get(buyer) ?? 0) + sign * shares);
      changes.set(buyer, (changes.get(buyer) ?? 0) + sign * shares);
    }
  };
  const take = (order: TakingOrder | undefined) => {
    if (order === undefined) return;
    taking.push(order);
    const of = remaining.get(order.order_id);
    if (of !== undefined) remaining.set(order.order_id, { ...of, leads: of.leads - 1 });
  };
  const choices = requests.map((request): SettledChoice | undefined => {
    if (request.instead !== undefined) change(request.instead.changes, -1);
    if (request.candidates.length === 0) return undefined;
    const full = (remaining.size === 0 ? [] : request.candidates).flatMap(({ buyer }) => {
      const order = request.orderOf(buyer);
      const of = order && remaining.get(order.order_id);
      return of !== undefined && of.leads <= 0 ? [[buyer, of.refusal] as const] : [];
    });
    // If all of them are full, capacity may have been released meanwhile: the reservation decides.
    const isOpen = full.length < request.candidates.length;
    const excluded = new Set(isOpen ? full.map(([buyer]) => buyer) : []);
    const candidates = request.candidates.filter(({ buyer }) => !excluded.has(buyer));
    const before = new Map(candidates.map(({ buyer }) => [buyer, deficits.get(buyer) ?? 0]));
    const choice = {
      ...rule({ leadId: request.leadId, candidates }, deficits),
      before,
      full: isOpen ? full : [],
    };
    change(choice.changes, 1);
    take(request.orderOf(choice.winner));
    return choice;
  });
  return { choices, changes, taking };
}

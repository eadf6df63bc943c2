/**
 * The choices for several leads, made one after the other on the same deficits: the way for one lead and the way for a
 * batch both come here. Pure, apart from the random number of a draw.
 */
import {
  type Candidate,
  type Choice,
  chooseByNeed,
  chooseLargestDeficit,
  type Deficits,
  figuresByBuyer,
} from '#functions/domain/distribution/share-rule';
import type { Runtime } from '#functions/runtime';

export interface SettledChoice extends Choice {
  readonly mode: 'weights' | 'drawn';
  /** The number in [0, 1) that a drawn choice was made with. */
  readonly draw?: number;
  /** The deficits that the choice was made on. */
  readonly before: Deficits;
}

/** What is asked for one lead. */
export interface ChoiceRequest {
  readonly leadId: string;
  /** Empty where an earlier choice is only withdrawn. */
  readonly candidates: readonly Candidate[];
  /** An earlier choice for the same lead, withdrawn in the same write. */
  readonly instead: Choice | undefined;
}

export type Rule = (request: ChoiceRequest, deficits: Deficits) => Omit<SettledChoice, 'before'>;

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

/**
 * Makes the choices one after the other and sums what they change in the ledger.
 * @param ledger its deficits as they are before the first choice
 * @returns a choice for each request, undefined where there was nobody to choose from
 */
export function chooseAll(
  requests: readonly ChoiceRequest[],
  ledger: { readonly deficits: Readonly<Record<string, number>> },
  rule: Rule,
): { readonly choices: readonly (SettledChoice | undefined)[]; readonly changes: Deficits } {
  const deficits = figuresByBuyer(ledger.deficits);
  const changes = new Map<number, number>();
  const change = (by: Deficits, sign: 1 | -1) => {
    for (const [buyer, shares] of by) {
      deficits.set(buyer, (deficits.get(buyer) ?? 0) + sign * shares);
      changes.set(buyer, (changes.get(buyer) ?? 0) + sign * shares);
    }
  };
  const choices = requests.map((request): SettledChoice | undefined => {
    if (request.instead !== undefined) change(request.instead.changes, -1);
    if (request.candidates.length === 0) return undefined;
    const before = new Map(request.candidates.map(({ buyer }) => [buyer, deficits.get(buyer) ?? 0]));
    const choice = { ...rule(request, deficits), before };
    change(choice.changes, 1);
    return choice;
  });
  return { choices, changes };
}

/** Makes a failing history small: fewer leads and actions, fewer faults, and a schedule with as few switches as possible. */
import { type Options, type Outcome, simulate } from '#test/simulation/simulate-one';
import { recorded, type Script, scripted, strategyOf } from '#test/simulation/strategies';

/** What a history is that was shrunk, as long as the code stays the same. */
export interface Shrunk {
  readonly seed: number;
  /** Leads and actions that are left out, by number. */
  readonly withoutLeads: readonly number[];
  readonly withoutActions: readonly number[];
  /** The faults that happen, by name. */
  readonly faults: readonly string[];
  /** Steps at which another process goes on than by default. */
  readonly script: readonly (readonly [number, string])[];
}

/** A violation without the numbers and ids that differ between two histories of the same fault. */
export const kindOf = (violation: string): string =>
  violation
    .split('; ')[0]
    ?.replace(/[0-9A-Z]{26}/g, 'ID')
    .replace(/\d+/g, 'N') ?? '';

export const optionsOf = (given: Shrunk, more: Partial<Options> = {}): Options => ({
  seed: given.seed,
  without: { leads: new Set(given.withoutLeads), actions: new Set(given.withoutActions) },
  faults: { only: new Set(given.faults) },
  strategy: scripted(new Map(given.script)),
  ...more,
});

/**
 * @param found the outcome of a failing seed
 * @param maxRuns histories to try at most
 * @returns a case with the same kind of violation; undefined when the history does not repeat itself
 */
export async function shrink(found: Outcome, maxRuns = 600): Promise<Shrunk | undefined> {
  const kind = kindOf(found.violation ?? '');
  let runs = 0;
  const fails = async (options: Options): Promise<Outcome | undefined> => {
    if (runs >= maxRuns) return undefined;
    runs += 1;
    const outcome = await simulate(options);
    return outcome.violation !== undefined && kindOf(outcome.violation) === kind ? outcome : undefined;
  };
  const { seed } = found;
  const leads = new Set<number>();
  const actions = new Set<number>();
  const bySeed = (): Options => ({ seed, without: { leads, actions }, strategy: strategyOf(seed).strategy });
  for (const [left, count] of [
    [actions, found.actions],
    [leads, found.leads],
  ] as const)
    for (let number = count - 1; number >= 0; number -= 1) {
      left.add(number);
      if ((await fails(bySeed())) === undefined) left.delete(number);
    }
  const chosen = recorded(strategyOf(seed).strategy);
  const first = await fails({ ...bySeed(), strategy: chosen.strategy });
  if (first === undefined) return undefined;
  const asCase = (faults: readonly string[], script: Script): Shrunk => ({
    seed,
    withoutLeads: [...leads],
    withoutActions: [...actions],
    faults,
    script: [...script],
  });
  // Two calls of one name at the same moment can make a replay another history; then there is nothing to reduce it to.
  if ((await fails(optionsOf(asCase(first.faults, chosen.script)))) === undefined) return undefined;
  const faults = await reduced(
    first.faults,
    async (kept) => (await fails(optionsOf(asCase(kept, chosen.script)))) !== undefined,
  );
  const script = await reduced(
    [...chosen.script],
    async (kept) => (await fails(optionsOf(asCase(faults, new Map(kept))))) !== undefined,
  );
  return asCase(faults, new Map(script));
}

/** Leaves out parts of a list, large ones first, as long as it still fails. */
async function reduced<T>(
  list: readonly T[],
  fails: (kept: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let kept = list;
  for (let size = Math.max(1, Math.ceil(kept.length / 2)); ; size = Math.floor(size / 2)) {
    for (let at = 0; at < kept.length; ) {
      const fewer = [...kept.slice(0, at), ...kept.slice(at + size)];
      if (await fails(fewer)) kept = fewer;
      else at += size;
    }
    if (size <= 1) return kept;
  }
}

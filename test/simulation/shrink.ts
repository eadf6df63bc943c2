/** Shrinks a failing history: fewer leads, actions and faults, and a schedule with as few switches as possible. */
import { kindOf } from '#test/simulation/history';
import { type Options, type Outcome, simulate } from '#test/simulation/simulate-one';
import { recorded, scripted, strategyOf } from '#test/simulation/strategies';

const MAX_RUNS = 600;

/**
 * @param found the outcome of a failing seed
 * @returns the smallest history with the same kind of violation, recorded
 */
export async function shrunk({ seed, ...found }: Outcome): Promise<Outcome> {
  const kind = kindOf(found.violation ?? '');
  let runs = 0;
  const failing = async (options: Options): Promise<Outcome | undefined> => {
    if (runs >= MAX_RUNS) return undefined;
    runs += 1;
    const outcome = await simulate(options);
    return kindOf(outcome.violation ?? '') === kind ? outcome : undefined;
  };
  const [leads, actions] = [new Set<number>(), new Set<number>()];
  const few: Options = { seed, without: { leads, actions } };
  for (const [left, count] of [[actions, found.actions] as const, [leads, found.leads] as const])
    for (let number = count - 1; number >= 0; number -= 1) {
      left.add(number);
      if ((await failing(few)) === undefined) left.delete(number);
    }
  const chosen = recorded(strategyOf(seed).strategy);
  const first = await failing({ ...few, strategy: chosen.strategy });
  const replayed = (faults: readonly string[], script: Iterable<readonly [number, string]>): Options => ({
    ...few,
    faults: { only: new Set(faults) },
    strategy: scripted(new Map(script)),
  });
  // Two concurrent calls with one name can make a replay differ; then the history cannot be reduced.
  if (first === undefined || (await failing(replayed(first.faults, chosen.script))) === undefined)
    return simulate({ ...few, record: true });
  const faults = await reduced(first.faults, (kept) => failing(replayed(kept, chosen.script)));
  const script = await reduced([...chosen.script], (kept) => failing(replayed(faults, kept)));
  return simulate({ ...replayed(faults, script), record: true });
}

/** Omits parts of a list, large ones first, as long as it still fails. */
async function reduced<T>(
  list: readonly T[],
  failing: (kept: readonly T[]) => Promise<Outcome | undefined>,
): Promise<readonly T[]> {
  let kept = list;
  for (let size = Math.max(1, Math.ceil(kept.length / 2)); ; size = Math.floor(size / 2)) {
    for (let at = 0; at < kept.length; ) {
      const fewer = [...kept.slice(0, at), ...kept.slice(at + size)];
      if ((await failing(fewer)) !== undefined) kept = fewer;
      else at += size;
    }
    if (size <= 1) return kept;
  }
}

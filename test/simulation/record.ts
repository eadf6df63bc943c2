/** Finds an order of calls in which a script shows its fault, with as few interruptions as possible. */
import type { runScript } from '#test/simulation/run-script';
import { isNamed, kindOfCall, type Script } from '#test/simulation/script';

const MAX_INTERRUPTIONS = 2;
const MAX_RUNS = 5_000;
/** What happens to an interrupted process: nothing, a sleep beyond leases and timeouts, or its end. */
const MEANWHILE = [() => [], () => ['70 seconds pass'], (actor: string) => [`${actor} dies`]] as const;

/** The name of the last of these calls in a script: kind and most specific key, without IDs. */
function nameOf(made: readonly string[]): string {
  const label = made.at(-1) ?? '';
  const kind = kindOfCall(label);
  const keys = label.split(' ').slice(1);
  const key = (keys.find((one) => one !== 'AUDIT') ?? '*').replace(/[0-9A-Z]{26}/g, '*');
  const count = made.filter((one) => isNamed(one, kind, key)).length;
  return `${kind} ${key}${count === 1 ? '' : ` #${count}`}`;
}

function permutations(list: readonly string[]): (readonly string[])[] {
  if (list.length < 2) return [list];
  return list.flatMap((first) =>
    permutations(list.filter((one) => one !== first)).map((rest) => [first, ...rest]),
  );
}

/**
 * @param script existing lines are kept and followed by others
 * @param run with the fault planted
 * @returns the lines, or undefined if none were found
 */
export async function orderThatShows(
  script: Script,
  run: typeof runScript,
): Promise<readonly string[] | undefined> {
  const actors = Object.keys(script.actors);
  let runs = 0;
  const shows = async (order: readonly string[]): Promise<boolean> => {
    runs += 1;
    const { violation, isError, stale } = await run({ ...script, order });
    return violation !== undefined && stale === undefined && isError === (script.isError === true);
  };
  const search = async (
    before: readonly string[],
    left: number,
    last = '',
  ): Promise<readonly string[] | undefined> => {
    if (runs > MAX_RUNS) return undefined;
    const open = actors.filter((actor) => !before.includes(actor) && !before.includes(`${actor} dies`));
    if (left === 0) {
      for (const ends of permutations(open)) {
        const order = [...before, ...ends];
        if ((ends[0] !== last || open.length === 1) && (await shows(order))) return order;
      }
      return undefined;
    }
    for (const actor of open) {
      if (actor === last) continue;
      const sofar = (await run({ ...script, order: before })).stops[actor] ?? 0;
      const made = (await run({ ...script, order: [...before, actor] })).made[actor] ?? [];
      for (const meanwhile of MEANWHILE)
        for (let at = Math.max(2, sofar + 1); at <= made.length; at += 1) {
          const lines = [...before, `${actor} before ${nameOf(made.slice(0, at))}`, ...meanwhile(actor)];
          const found = await search(lines, left - 1, actor);
          if (found !== undefined) return found;
        }
    }
    return undefined;
  };
  for (let interruptions = 0; interruptions <= MAX_INTERRUPTIONS; interruptions += 1) {
    const found = await search(script.order, interruptions);
    if (found !== undefined) return found;
  }
  return undefined;
}

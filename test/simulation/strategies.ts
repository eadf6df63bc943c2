/** Strategies of the scheduler: at random, sticking to one process, by priorities, from a script, or every possible order. */
import type { Call, Process, Strategy } from '#test/simulation/kernel';
import { hash32, sequence } from '#test/simulation/random';

export function strategyOf(seed: number): { readonly name: string; readonly strategy: Strategy } {
  const random = sequence(hash32('strategy', seed));
  const share = random();
  if (share < 0.5) return { name: 'walk', strategy: walk(random) };
  if (share < 0.75) {
    const keep = [0.5, 0.8, 0.95][Math.floor(random() * 3)] ?? 0.8;
    return { name: `sticky ${keep}`, strategy: sticky(random, keep) };
  }
  return { name: 'priorities', strategy: priorities(random, 3, 400) };
}

const at = (ready: readonly Call[], index: number): Call => {
  const call = ready[index];
  if (call === undefined) throw new RangeError('Nothing is ready');
  return call;
};

export const walk =
  (random: () => number): Strategy =>
  (ready) =>
    at(ready, Math.floor(random() * ready.length));

/** The same process continues with a certain probability, so that others wait long and then conflict with its changes. */
export const sticky =
  (random: () => number, keep: number): Strategy =>
  (ready, last) => {
    if (random() < keep) {
      const same = ready.find(({ process }) => process === last);
      if (same !== undefined) return same;
    }
    return at(ready, Math.floor(random() * ready.length));
  };

/** PCT: processes have priorities, and the highest runs. At `depth` - 1 random steps the running one becomes the lowest. */
export function priorities(random: () => number, depth: number, length: number): Strategy {
  const ranks = new Map<Process, number>();
  const changes = new Set(Array.from({ length: depth - 1 }, () => Math.floor(random() * length)));
  let lowest = 0;
  return (ready, last, step) => {
    if (last !== undefined && changes.has(step)) ranks.set(last, (lowest -= 1));
    let best = at(ready, 0);
    let bestRank = Number.NEGATIVE_INFINITY;
    for (const call of ready) {
      let rank = ranks.get(call.process);
      if (rank === undefined) ranks.set(call.process, (rank = random()));
      if (rank > bestRank) [best, bestRank] = [call, rank];
    }
    return best;
  };
}

/** The choices that differ from the default, which is the same process or else the longest-waiting call. */
export type Script = ReadonlyMap<number, string>;

const byDefault = (ready: readonly Call[], last: Process | undefined): Call =>
  ready.find(({ process }) => process === last) ?? at(ready, 0);

const nameOf = (call: Call) => `${call.process.name} ${call.label}`;

/** Follows a script; a name that does not wait at its step is skipped. */
export const scripted =
  (script: Script): Strategy =>
  (ready, last, step) => {
    const name = script.get(step);
    return (name !== undefined && ready.find((call) => nameOf(call) === name)) || byDefault(ready, last);
  };

/** Every process runs to its end. */
export const inTurn = scripted(new Map());

/** Records another strategy's choices as a script. */
export function recorded(strategy: Strategy): {
  readonly strategy: Strategy;
  readonly script: Map<number, string>;
} {
  const script = new Map<number, string>();
  return {
    script,
    strategy: (ready, last, step) => {
      const call = strategy(ready, last, step);
      if (call !== undefined && call !== byDefault(ready, last)) script.set(step, nameOf(call));
      return call;
    },
  };
}

/** Touched by an index read, which any write may change. */
export const EVERYTHING = '*';

/** Whether the order of two calls can matter. */
export function dependent(one: Call, other: Call): boolean {
  if (one.process === other.process) return true;
  if (!one.writes && !other.writes) return false;
  if (one.touches.includes(EVERYTHING) || other.touches.includes(EVERYTHING)) return true;
  return one.touches.some((thing) => other.touches.includes(thing));
}

interface Branch {
  readonly choices: readonly string[];
  /** Calls whose exploration from here would only repeat what an earlier choice led to. */
  readonly asleep: Map<string, Call>;
  chosen: number;
  readonly calls: readonly Call[];
  readonly preemptions: number;
}

/**
 * Every interleaving, by running the world again for each: depth-first, with sleep sets. With a bound, only those in which
 * at most this many processes are interrupted while they could continue.
 */
export class Exhaustive {
  readonly #stack: Branch[] = [];
  readonly #bound: number;
  #depth = 0;

  constructor(maxPreemptions = Number.POSITIVE_INFINITY) {
    this.#bound = maxPreemptions;
  }

  /**
   * For one run.
   * @throws Cut if the rest of the run is covered already
   */
  readonly strategy: Strategy = (ready, last) => {
    const depth = this.#depth;
    this.#depth += 1;
    let branch = this.#stack[depth];
    if (branch === undefined) {
      const parent = this.#stack[depth - 1];
      branch = this.#branch(ready, last, parent);
      if (branch.choices.length === 0) throw new Cut();
      this.#stack.push(branch);
    }
    const name = branch.choices[branch.chosen];
    const call = ready.find((candidate) => nameOf(candidate) === name);
    if (call === undefined) throw new Error(`Not the same history: ${name ?? ''} does not wait`);
    return call;
  };

  #branch(ready: readonly Call[], last: Process | undefined, parent: Branch | undefined): Branch {
    const asleep = new Map<string, Call>();
    const taken = parent?.calls[parent.chosen];
    if (parent !== undefined && taken !== undefined) {
      for (const [name, call] of parent.asleep) if (!dependent(call, taken)) asleep.set(name, call);
      for (const call of parent.calls.slice(0, parent.chosen))
        if (!dependent(call, taken)) asleep.set(nameOf(call), call);
    }
    const spent = parent?.preemptions ?? 0;
    const goesOn = ready.some(({ process }) => process === last);
    const allowed = ready.filter(
      (call) => !asleep.has(nameOf(call)) && (!goesOn || call.process === last || spent < this.#bound),
    );
    // The running process comes first, so that runs with few interruptions come first.
    const calls = allowed.toSorted(
      (one, other) => Number(other.process === last) - Number(one.process === last),
    );
    const interrupts = goesOn && calls[0]?.process !== last;
    return { choices: calls.map(nameOf), calls, asleep, chosen: 0, preemptions: spent + Number(interrupts) };
  }

  /**
   * Prepares the next run.
   * @returns false if there is none left
   */
  next(): boolean {
    this.#depth = 0;
    for (;;) {
      const top = this.#stack.pop();
      if (top === undefined) return false;
      if (top.chosen + 1 < top.choices.length) {
        const call = top.calls[top.chosen + 1];
        const first = top.calls[0];
        const interrupts = call !== undefined && first !== undefined && call.process !== first.process;
        const before = this.#stack[this.#stack.length - 1]?.preemptions ?? 0;
        this.#stack.push({ ...top, chosen: top.chosen + 1, preemptions: before + Number(interrupts) });
        return true;
      }
    }
  }
}

/** Another run covers the rest of this one. */
export class Cut extends Error {
  override readonly name = 'Cut';
}

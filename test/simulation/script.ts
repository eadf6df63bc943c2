/**
 * A stored history: its setup, its actors and the order of their calls. Calls are named by actor, by read
 * or write, and by key, so a script means the same history after the code has changed, and otherwise fails as stale.
 */
import { type Call, type Process, type Scheduler, type Strategy } from '#test/simulation/kernel';
import type { World } from '#test/simulation/outside';

/** A verb of `script-actions.ts` with its arguments, or a passage of time. */
export type Act = readonly [verb: string, ...given: unknown[]] | string;

export interface Script {
  /** A description for readers. */
  readonly what: string;
  /** The fault of `past-faults.ts` that it shows. */
  readonly fault: string;
  /** Whether the fault is an error, and breaks no other rule. */
  readonly isError?: true;
  /** At the end no key may begin with this, in addition to the usual rules. */
  readonly leavesNone?: string;
  /** Whether the fault escapes the scheduler (`guard.ts`). */
  readonly isGuarded?: true;
  /** Parts of the product besides distribution, as in drawn worlds. */
  readonly traits?: readonly string[];
  readonly before: readonly Act[];
  readonly actors: Readonly<Record<string, readonly Act[]>>;
  /**
   * Who runs until when, line by line: `one`, `one before write ORDERS#1 #2`, `one after send deliver`, `one without write
   * ORDERS#1` (everything else), `one gets no answer to write POOL/LEDGER`, `one dies`, `70 seconds pass`. Afterwards all
   * take turns.
   */
  readonly order: readonly string[];
}

/** A line of a script no longer fits the code. */
export class Stale extends Error {
  override readonly name = 'Stale';
}

const UNIT_MS: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};
/** A process that is paused for this long counts as asleep. */
const SLEEPS_MS = 20_000;
const TIME = /^(\d+) (second|minute|hour|day)s? passe?s?$/;
/** @returns the time that passes in a line, in milliseconds */
export function passing(line: string): number | undefined {
  const [, count, unit = ''] = TIME.exec(line) ?? [];
  return count === undefined ? undefined : Number(count) * (UNIT_MS[unit] ?? 0);
}

/** Kinds of calls; other verbs are matched literally. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  read: ['get', 'batchget', 'query', 'scan'],
  write: ['put', 'update', 'delete', 'transact'],
};
export const kindOfCall = (label: string): string => {
  const [verb = ''] = label.split(' ');
  return Object.keys(KINDS).find((kind) => KINDS[kind]?.includes(verb)) ?? verb;
};

const pattern = (glob: string) =>
  new RegExp(`^${glob.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);

/** @returns whether a kind or verb and a key match this call's label; `*` matches a part of the key */
export function isNamed(label: string, kind: string, glob: string): boolean {
  const [verb = '', ...keys] = label.split(' ');
  if (verb !== kind && KINDS[kind]?.includes(verb) !== true) return false;
  return keys.length === 0 ? glob === '*' : keys.some((key) => pattern(glob).test(key));
}

const LINE =
  /^(?<actor>\S+)(?: (?<until>before|after|without|gets no answer to) (?<kind>\S+) (?<glob>\S+)(?: #(?<nth>\d+))?| (?<dies>dies))?$/;

/** Runs the actors' calls by the script's lines. */
export class Ordered {
  readonly #made = new Map<Process, string[]>();
  /** The number of calls of each process when the lines ended. */
  #stops: ReadonlyMap<Process, number> | undefined;
  #at = 0;

  constructor(
    private readonly lines: readonly string[],
    private readonly actors: ReadonlyMap<string, Process>,
    private readonly ended: ReadonlySet<string>,
    private readonly scheduler: Scheduler,
    private readonly faults: World['faults'],
  ) {}

  /** The labels of an actor's calls. */
  madeBy(actor: string): readonly string[] {
    const process = this.actors.get(actor);
    return (process && this.#made.get(process)) ?? [];
  }

  /** The number of its calls when the lines ended. */
  stoppedAt(actor: string): number {
    const process = this.actors.get(actor);
    return (process && this.#stops?.get(process)) ?? 0;
  }

  /** Why a line was not reached when all actors have ended or wait forever. */
  get left(): string | undefined {
    const line = this.lines.slice(this.#at).find((one) => !this.ended.has(one) && passing(one) === undefined);
    return line === undefined ? undefined : this.#missed(line);
  }

  readonly strategy: Strategy = (_, last) => {
    for (;;) {
      const line = this.lines[this.#at];
      const ready = this.scheduler.waiting().filter((call) => call.at() <= this.scheduler.now);
      if (line === undefined) {
        this.#stops ??= new Map([...this.#made].map(([process, made]) => [process, made.length]));
        return this.#goesOn(ready.find(({ process }) => process === last) ?? ready[0]);
      }
      const call = this.#follow(line, ready);
      if (call !== 'next line') return this.#goesOn(call);
    }
  };

  #goesOn(call: Call | undefined): Call | undefined {
    if (call !== undefined)
      this.#made.set(call.process, [...(this.#made.get(call.process) ?? []), call.label]);
    return call;
  }

  #follow(line: string, ready: readonly Call[]): Call | undefined | 'next line' {
    const ms = passing(line);
    if (ms !== undefined) return this.#pass(ms);
    const { actor = '', until, kind = '', glob = '', nth = '1', dies } = LINE.exec(line)?.groups ?? {};
    const process = this.actors.get(actor);
    if (process === undefined) throw new Stale(`"${line}" is no valid line, or names an unknown actor`);
    if (dies !== undefined) return this.#die(process, line);
    const its = ready.filter((candidate) => candidate.process === process);
    if (until === 'without' && its.some(({ label }) => isNamed(label, kind, glob))) {
      const other = its.find(({ label }) => !isNamed(label, kind, glob));
      if (other !== undefined) return other;
      this.#at += 1;
      return 'next line';
    }
    const [call] = its;
    if (this.ended.has(actor)) {
      if (until !== undefined) throw new Stale(this.#missed(line));
      this.#at += 1;
      return 'next line';
    }
    if (call === undefined || until === undefined || until === 'without' || !isNamed(call.label, kind, glob))
      return call;
    const before = this.madeBy(actor).filter((label) => isNamed(label, kind, glob)).length;
    if (before + 1 !== Number(nth)) return call;
    this.#at += 1;
    if (until === 'before') return 'next line';
    if (until !== 'after') this.faults.forced = 'lostAnswer';
    return call;
  }

  #missed(line: string): string {
    const { actor = '', kind = '' } = LINE.exec(line)?.groups ?? {};
    const alike = this.madeBy(actor).filter(
      (label) => kindOfCall(label) === kind || label.startsWith(`${kind} `),
    );
    return `"${line}" is not reached: the calls of ${actor} are over, and those of this kind were ${alike.join(', ') || 'none'}`;
  }

  #pass(ms: number): 'next line' {
    this.#at += 1;
    this.scheduler.now += ms;
    if (ms < SLEEPS_MS) return 'next line';
    // All running actors sleep.
    for (const [actor, process] of this.actors) {
      const made = this.#made.get(process);
      if (made !== undefined && !this.ended.has(actor))
        this.faults.happened.push(`frozen: ${actor} ${made.at(-1)} (1)`);
    }
    return 'next line';
  }

  #die(process: Process, line: string): 'next line' {
    if (!process.alive || this.ended.has(process.name)) throw new Stale(this.#missed(line));
    this.#at += 1;
    for (const call of this.scheduler.waiting()) if (call.process === process) this.scheduler.drop(call);
    process.kill();
    this.faults.happened.push(`killedBefore: ${process.name} ${this.madeBy(process.name).at(-1)} (1)`);
    return 'next line';
  }
}

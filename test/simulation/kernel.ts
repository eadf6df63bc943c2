/**
 * The scheduler of the simulated world. Every call that leaves a process is parked here. A strategy chooses one at a time,
 * and all its consequences inside the processes run before the next choice. Time is virtual: it passes with every step,
 * and jumps when everything waits for time.
 */
import { hash32 } from '#test/simulation/random';

/** Saved before a test can mock them. */
const { setImmediate: nextRound } = globalThis;

let scheduling = false;
/** Whether the scheduler itself is using the event loop, which is forbidden for everything else. */
export const isScheduling = () => scheduling;

/** Resolves when all consequences inside the processes have run: ticks come after all promises that can continue. */
const settle = () => new Promise<void>((resolve) => scheduled(() => process.nextTick(resolve)));
/** The same after a turn of the event loop, in which an import may finish. */
export const nextLoop = () => new Promise<void>((resolve) => scheduled(() => nextRound(resolve)));

function scheduled(ask: () => void): void {
  scheduling = true;
  ask();
  scheduling = false;
}

/** A parked call of a process. */
export interface Call {
  readonly process: Process;
  /** A label without parts that differ between runs of one seed. */
  readonly label: string;
  /** The item, partition or other object that it touches; calls on different objects commute. */
  readonly touches: readonly string[];
  readonly writes: boolean;
  /** The earliest virtual time, in milliseconds, at which it may run; may change until then. */
  at: () => number;
  /** @returns the outcome, for the history */
  readonly run: () => string;
}

export interface Step {
  readonly step: number;
  readonly at: number;
  readonly process: string;
  readonly label: string;
  readonly outcome: string;
}

/**
 * Chooses the next call, or none to let time pass until another one is ready.
 * @param ready at least one, in the order of parking
 */
export type Strategy = (ready: readonly Call[], last: Process | undefined, step: number) => Call | undefined;

/** A broken rule, with a message. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** A process of the product or of its environment. It ends when killed, and sleeps while frozen. */
export class Process {
  /** Milliseconds by which its clock is wrong. */
  skew = 0;
  alive = true;
  frozenUntil = 0;
  /** The call before which it dies, counted from 1. */
  diesAtCall = Number.POSITIVE_INFINITY;
  #calls = 0;
  /** Resolves when it is killed. */
  readonly ended: Promise<void>;
  #end: () => void = () => undefined;

  constructor(
    readonly name: string,
    readonly scheduler: Scheduler,
  ) {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  kill(): void {
    if (!this.alive) return;
    this.alive = false;
    this.scheduler.forget(this);
    this.#end();
  }

  /**
   * Parks a call until the scheduler runs it.
   * @param effect its effect on the world; its return value, promise or error is the answer
   */
  call<T>(
    label: string,
    touches: readonly string[],
    writes: boolean,
    effect: () => T | PromiseLike<T>,
    at: () => number = NOW,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#calls += 1;
      if (this.#calls >= this.diesAtCall) this.kill();
      if (!this.alive) return;
      this.scheduler.park({
        process: this,
        label,
        touches,
        writes,
        at,
        run: () => {
          try {
            const answer = effect();
            this.#answered(() => resolve(answer));
            return 'ok';
          } catch (error) {
            if (error instanceof Violation) throw error;
            this.#answered(() => reject(error));
            return error instanceof Error ? error.name : 'error';
          }
        },
      });
    });
  }

  /** A frozen process gets an answer when it wakes, a dead process never. */
  #answered(tell: () => void): void {
    if (!this.alive) return;
    if (this.frozenUntil <= this.scheduler.now) return tell();
    const until = this.frozenUntil;
    this.scheduler.park({
      process: this,
      label: 'wake',
      touches: NOTHING,
      writes: false,
      at: () => until,
      run: () => {
        this.#answered(tell);
        return 'ok';
      },
    });
  }

  sleep(milliseconds: number): Promise<void> {
    const until = this.scheduler.now + Math.max(0, milliseconds);
    return this.call(
      'sleep',
      NOTHING,
      false,
      () => undefined,
      () => until,
    );
  }
}

/** A dynamic import takes some turns of the event loop, once. */
const MAX_IDLE_ROUNDS = 50;

export const NOW = () => 0;
export const NOTHING: readonly string[] = [];

export interface SchedulerOptions {
  readonly strategy: Strategy;
  /** Milliseconds that pass per step. */
  readonly pass: () => number;
  /** Whether steps are kept, not only hashed. */
  readonly record?: boolean;
  readonly startMs: number;
}

export class Scheduler {
  now: number;
  steps = 0;
  hash = 0;
  readonly history: Step[] = [];
  #parked: Call[] = [];
  #last: Process | undefined;
  /** Set by rules that find a violation outside of a step. */
  violation: Error | undefined;

  constructor(private readonly options: SchedulerOptions) {
    this.now = options.startMs;
  }

  park(call: Call): Call {
    this.#parked.push(call);
    return call;
  }

  drop(call: Call): void {
    const at = this.#parked.indexOf(call);
    if (at >= 0) this.#parked.splice(at, 1);
  }

  /** A process has died and waits for nothing, but its sent requests still arrive. */
  forget(process: Process): void {
    this.#parked = this.#parked.filter((call) => call.process !== process || call.touches !== NOTHING);
  }

  /** Parked calls, without those of dead processes. */
  waiting(): readonly Call[] {
    return this.#parked.filter(({ process }) => process.alive);
  }

  /** Adds a line to the history that is not a step. */
  note(process: string, label: string, outcome = ''): void {
    this.hash = hash32(`${process} ${label} ${outcome}`, this.hash);
    this.#keep(process, label, outcome);
  }

  #keep(process: string, label: string, outcome: string): void {
    if (this.options.record === true)
      this.history.push({ step: this.steps, at: this.now, process, label, outcome });
  }

  /**
   * Runs calls until `done`, or until no call is parked.
   * @param untilMs the end in virtual time
   * @returns why it ended
   * @throws Violation
   */
  async run(
    done: () => boolean,
    untilMs: number,
    maxSteps: number,
  ): Promise<'done' | 'idle' | 'late' | 'long'> {
    let idle = 0;
    for (;;) {
      await (idle === 0 ? settle() : nextLoop());
      if (this.violation !== undefined) throw this.violation;
      if (done()) return 'done';
      if (this.steps >= maxSteps) return 'long';
      let ready: Call[] = [];
      let next = Number.POSITIVE_INFINITY;
      for (const call of this.#parked) {
        const at = call.at();
        if (at <= this.now) ready.push(call);
        else if (at < next) next = at;
      }
      if (ready.length === 0) {
        if (next === Number.POSITIVE_INFINITY && (idle += 1) > MAX_IDLE_ROUNDS) return 'idle';
        if (next === Number.POSITIVE_INFINITY) continue;
        if (next > untilMs) return 'late';
        this.now = next;
        ready = this.#parked.filter((call) => call.at() <= next);
      }
      if (this.now > untilMs) return 'late';
      idle = 0;
      const call = this.options.strategy(ready, this.#last, this.steps);
      if (call === undefined) {
        const waiting = this.#parked.map(({ at }) => at()).filter((at) => at > this.now);
        if (waiting.length === 0) return 'idle';
        this.now = Math.min(...waiting);
        continue;
      }
      this.drop(call);
      this.#last = call.process;
      this.steps += 1;
      this.now += this.options.pass();
      const outcome = call.run();
      const { process, label } = call;
      this.hash = hash32(outcome, hash32(label, hash32(process.name, this.hash ^ this.now)));
      this.#keep(process.name, label, outcome);
    }
  }
}

/**
 * Faults and their rates. Each seed switches every kind of fault on or off (swarm testing), because permanent
 * faults hide each other, and a history with constant faults never gets far enough to break a rule.
 */
import { Draws } from '#test/simulation/random';

/** Faults of a call to the table or a queue, in the order in which a random number is matched against their rates. */
const CALL_FAULTS = {
  /** The process dies and the call never arrives. */
  killedBefore: 0.01,
  /** The call takes effect and the process dies. */
  killedAfter: 0.015,
  /** The process sleeps, and gets the answer when it wakes. */
  frozen: 0.006,
  /** The call is delayed. */
  late: 0.03,
  /** The table temporarily rejects the call. */
  throttled: 0.03,
  /** The table reports that another transaction holds the item. */
  conflict: 0.04,
  /** The call takes effect, its answer is lost and the SDK repeats it. */
  lostAnswer: 0.05,
  /** The call takes effect, its answer is lost and the SDK gives up. */
  lostForGood: 0.01,
} as const;
export type CallFault = keyof typeof CALL_FAULTS;

/** Faults of a call to a partner. */
const PARTNER_FAULTS = {
  /** No connection. */
  unreachable: 0.15,
  /** An error, and the lead is not kept. */
  failsBefore: 0.15,
  /** An error, and the lead is kept. */
  failsAfter: 0.15,
  /** No answer, and the lead is not kept. */
  silentBefore: 0.1,
  /** No answer, and the lead is kept. */
  silentAfter: 0.15,
  /** The answer asks to retry later. */
  busy: 0.1,
  /** The lead is refused. */
  refused: 0.05,
} as const;
export type PartnerFault = keyof typeof PARTNER_FAULTS;

/** Ways in which a conversation with a mail server ends without confirmation. */
const MAIL_FAULTS = {
  /** No connection. */
  mailUnreachable: 0.1,
  /** The login is refused. */
  mailLoginRefused: 0.05,
  /** The answer asks to retry later. */
  mailBusy: 0.1,
  /** The recipient is refused. */
  mailRefused: 0.05,
  /** The connection ends after the hand-over, and the message is kept. */
  mailCutOff: 0.1,
  /** The connection ends after the hand-over, and the message is not kept. */
  mailLost: 0.05,
  /** The message is kept, and not confirmed in time. */
  mailUnconfirmed: 0.1,
  /** The message is kept, and confirmed after minutes. */
  mailLate: 0.1,
} as const;
export type MailFault = keyof typeof MAIL_FAULTS;

/** Faults of the environment. */
const WORLD_FAULTS = {
  /** Transactions take effect in two steps. */
  twoSteps: 0.7,
  /** Indexes and eventually consistent reads lag behind. */
  indexLag: 0.4,
  /** Pages and batches are truncated. */
  shortPages: 0.5,
  /** A queue delivers a message twice. */
  messageTwice: 0.15,
  /** A handled message stays in its queue. */
  messageKept: 0.15,
  /** A message is delivered late. */
  messageLate: 0.2,
  /** A queue accepts a part of a batch. */
  sendCut: 0.1,
  /** The stream replays a batch. */
  recordsAgain: 0.15,
  /** The clocks of the processes differ. */
  skewedClocks: 0.7,
  /** The clock of a process jumps. */
  clockJumps: 0.05,
  /** Expired items are removed. */
  expiry: 0.3,
  /** A function that takes too long is ended. */
  limits: 1,
  /** The schedule starts the reconciliation twice. */
  minuteTwice: 0.3,
} as const;
export type WorldFault = keyof typeof WORLD_FAULTS;

export type Fault = CallFault | PartnerFault | MailFault | WorldFault;
const RATES: Readonly<Record<Fault, number>> = {
  ...CALL_FAULTS,
  ...PARTNER_FAULTS,
  ...MAIL_FAULTS,
  ...WORLD_FAULTS,
};
/** In some worlds only one of these functions dies and sleeps, and more often, which tests its incomplete work. */
const VICTIMS = ',,,api,deliver,distribute,notify,outbox,reconcile,redistribute,statistics'.split(',');
const VICTIM_FACTOR = 4;
const ENDS: ReadonlySet<CallFault> = new Set(['killedBefore', 'killedAfter', 'frozen']);
/** Maximum per history; more would prevent all progress. */
const MAX_DEATHS = 4;
const MAX_FREEZES = 3;

export interface FaultOptions {
  /** The allowed kinds; by default the seed decides. */
  readonly kinds?: readonly Fault[] | undefined;
  /** The allowed faults, by their recorded names. */
  readonly only?: ReadonlySet<string> | undefined;
}

export class Faults {
  readonly kinds: ReadonlySet<Fault>;
  /** The faults that happened, as kind, process, target and count. */
  readonly happened: string[] = [];
  readonly #draws: Draws;
  readonly #only: ReadonlySet<string> | undefined;
  readonly #counts = new Map<string, number>();
  readonly #callRates: readonly (readonly [CallFault, number])[];
  readonly #victimRates: readonly (readonly [CallFault, number])[];
  /** Empty for all. */
  readonly #victim: string;
  readonly #partnerRates: readonly (readonly [PartnerFault, number])[];
  readonly #mailRates: readonly (readonly [MailFault, number])[];
  #over = false;
  #partnersMs = 0;
  /** Writes that took effect without an answer, by process and call. */
  readonly unanswered: string[] = [];
  deaths = 0;
  #freezes = 0;
  /** The fault that a script sets for the next call. */
  forced: CallFault | undefined;

  constructor(seed: number, options: FaultOptions = {}) {
    this.#draws = new Draws(seed ^ 0x5bd1e995);
    this.#only = options.only;
    const all = Object.keys(RATES) as Fault[];
    const intensity = this.#draws.pick('intensity', [0, 0.3, 0.5, 0.5, 0.7]);
    this.kinds = new Set(options.kinds ?? all.filter((kind) => this.#draws.chance(`use ${kind}`, intensity)));
    const rate = this.#draws.pick('rate', [0.5, 1, 2]);
    const ratesOf = <Kind extends Fault>(kinds: readonly Kind[]) =>
      kinds.filter((kind) => this.kinds.has(kind)).map((kind) => [kind, RATES[kind] * rate] as const);
    const rates = ratesOf(Object.keys(CALL_FAULTS) as CallFault[]);
    this.#victim = this.#draws.pick('victim', VICTIMS);
    this.#callRates = this.#victim === '' ? rates : rates.filter(([kind]) => !ENDS.has(kind));
    this.#victimRates = rates.map(([kind, rate]) => [kind, ENDS.has(kind) ? rate * VICTIM_FACTOR : rate]);
    this.#partnerRates = ratesOf(Object.keys(PARTNER_FAULTS) as PartnerFault[]);
    this.#mailRates = ratesOf(Object.keys(MAIL_FAULTS) as MailFault[]);
  }

  /**
   * From now on there are no faults, except that partners may recover later.
   * @param partnersMs virtual time at which partners recover
   */
  stop(partnersMs = 0): void {
    this.#over = true;
    this.#partnersMs = partnersMs;
  }
  get stopped(): boolean {
    return this.#over;
  }

  ofCall(process: string, label: string, possible: (kind: CallFault) => boolean): CallFault | undefined {
    const { forced } = this;
    this.forced = undefined;
    if (forced !== undefined && this.#note(forced, `${process} ${label}`)) return forced;
    if (this.#over || this.#victimRates.length === 0) return undefined;
    const what = `${process} ${label}`;
    const isVictim = this.#victim !== '' && process.startsWith(this.#victim);
    const kind = this.#match(what, isVictim ? this.#victimRates : this.#callRates);
    if (kind === undefined || !possible(kind)) return undefined;
    if ((kind === 'killedBefore' || kind === 'killedAfter') && this.deaths >= MAX_DEATHS) return undefined;
    if (kind === 'frozen' && this.#freezes >= MAX_FREEZES) return undefined;
    if (!this.#note(kind, what)) return undefined;
    if (kind === 'killedBefore' || kind === 'killedAfter' || kind === 'lostForGood') this.deaths += 1;
    if (kind === 'frozen') this.#freezes += 1;
    if (kind === 'lostForGood') this.unanswered.push(what);
    return kind;
  }

  ofPartner(what: string, nowMs: number): PartnerFault | undefined {
    return this.#ofOther(what, nowMs, this.#partnerRates);
  }
  ofMail(what: string, nowMs: number): MailFault | undefined {
    return this.#ofOther(what, nowMs, this.#mailRates);
  }
  #ofOther<Kind extends Fault>(
    what: string,
    nowMs: number,
    rates: readonly (readonly [Kind, number])[],
  ): Kind | undefined {
    if (this.#over && nowMs >= this.#partnersMs) return undefined;
    const kind = this.#match(what, rates);
    return kind !== undefined && this.#note(kind, what) ? kind : undefined;
  }

  /** Whether a fault of the environment happens this time. */
  happens(kind: WorldFault, what: string): boolean {
    if (this.#over || !this.kinds.has(kind)) return false;
    return this.#draws.chance(`${kind} ${what}`, RATES[kind]) && this.#note(kind, what);
  }

  /** A duration or delay, in milliseconds. */
  milliseconds(what: string, least: number, most: number): number {
    const spread = this.#draws.next(`time ${what}`);
    return Math.round(least * (most / least) ** spread);
  }

  below(what: string, below: number): number {
    return this.#draws.below(what, below);
  }

  #match<Kind>(what: string, rates: readonly (readonly [Kind, number])[]): Kind | undefined {
    let left = this.#draws.next(what);
    for (const [kind, rate] of rates) {
      left -= rate;
      if (left < 0) return kind;
    }
    return undefined;
  }

  #note(kind: Fault, what: string): boolean {
    const key = `${kind}: ${what}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    const name = `${key} (${count})`;
    if (this.#only?.has(name) === false) return false;
    this.happened.push(name);
    return true;
  }
}

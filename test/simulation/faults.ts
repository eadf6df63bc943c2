/**
 * What goes wrong, and how often. Each seed switches every kind of fault on or off (swarm testing): faults that are always
 * on together hide each other, and constant fire lets nothing get far enough to break.
 */
import { Draws } from '#test/simulation/random';

/** Faults of a call to the table or a queue, in the order in which a draw is matched against their rates. */
export const CALL_FAULTS = {
  killedBefore: 'the process dies and the call never arrives',
  killedAfter: 'the call takes effect and the process dies',
  frozen: 'the process sleeps, and gets the answer when it wakes',
  late: 'the call arrives late',
  throttled: 'the table refuses the call for a moment',
  conflict: 'another transaction is said to hold the item',
  lostAnswer: 'the call takes effect, its answer is lost and the SDK repeats it',
  lostForGood: 'the call takes effect, its answer is lost and the SDK gives up',
} as const;
export type CallFault = keyof typeof CALL_FAULTS;

/** Faults of a call to a partner. */
export const PARTNER_FAULTS = {
  unreachable: 'no connection',
  failsBefore: 'an error, and the lead is not kept',
  failsAfter: 'an error, and the lead is kept',
  silentBefore: 'no answer, and the lead is not kept',
  silentAfter: 'no answer, and the lead is kept',
  busy: 'come back later',
  refused: 'the lead is refused',
} as const;
export type PartnerFault = keyof typeof PARTNER_FAULTS;

/** How a conversation with a mail server ends otherwise than with its confirmation. */
export const MAIL_FAULTS = {
  mailUnreachable: 'no connection',
  mailLoginRefused: 'the login is refused',
  mailBusy: 'come back later',
  mailRefused: 'the recipient is refused',
  mailCutOff: 'the connection ends after the hand-over, and the message is kept',
  mailLost: 'the connection ends after the hand-over, and the message is not kept',
  mailUnconfirmed: 'the message is kept, and not confirmed in time',
  mailLate: 'the message is kept, and confirmed after minutes',
} as const;
export type MailFault = keyof typeof MAIL_FAULTS;

/** Faults of what is around the processes. */
export const WORLD_FAULTS = {
  twoSteps: 'transactions take effect in two steps',
  indexLag: 'indexes and cheap reads are behind',
  shortPages: 'pages and batches are cut short',
  messageTwice: 'a queue delivers a message twice',
  messageKept: 'a handled message stays in its queue',
  messageLate: 'a message is delivered late',
  sendCut: 'a queue takes a part of a batch',
  recordsAgain: 'the stream replays a batch',
  skewedClocks: 'the clocks of the processes differ',
  clockJumps: 'the clock of a process jumps',
  expiry: 'items whose time is over are removed',
  limits: 'a function that takes too long is ended',
  minuteTwice: 'the schedule starts the reconciliation twice',
} as const;
export type WorldFault = keyof typeof WORLD_FAULTS;

export type Fault = CallFault | PartnerFault | MailFault | WorldFault;
export const FAULTS = { ...CALL_FAULTS, ...PARTNER_FAULTS, ...MAIL_FAULTS, ...WORLD_FAULTS } as const;
export const isFault = (name: string): name is Fault => Object.hasOwn(FAULTS, name);

const RATES: Readonly<Record<Fault, number>> = {
  killedBefore: 0.01,
  killedAfter: 0.015,
  frozen: 0.006,
  late: 0.03,
  throttled: 0.03,
  conflict: 0.04,
  lostAnswer: 0.05,
  lostForGood: 0.01,
  unreachable: 0.15,
  failsBefore: 0.15,
  failsAfter: 0.15,
  silentBefore: 0.1,
  silentAfter: 0.15,
  busy: 0.1,
  refused: 0.05,
  mailUnreachable: 0.1,
  mailLoginRefused: 0.05,
  mailBusy: 0.1,
  mailRefused: 0.05,
  mailCutOff: 0.1,
  mailLost: 0.05,
  mailUnconfirmed: 0.1,
  mailLate: 0.1,
  twoSteps: 0.7,
  indexLag: 0.4,
  shortPages: 0.5,
  messageTwice: 0.15,
  messageKept: 0.15,
  messageLate: 0.2,
  sendCut: 0.1,
  recordsAgain: 0.15,
  skewedClocks: 0.7,
  clockJumps: 0.05,
  expiry: 0.3,
  limits: 1,
  minuteTwice: 0.3,
};
/** Functions of which one alone dies and sleeps in some worlds, and more often: what only that one leaves half done then shows. */
const VICTIMS = [
  '',
  '',
  '',
  'api',
  'deliver',
  'distribute',
  'notify',
  'outbox',
  'reconcile',
  'redistribute',
  'statistics',
];
const VICTIM_FACTOR = 4;
const ENDS: ReadonlySet<CallFault> = new Set(['killedBefore', 'killedAfter', 'frozen']);
/** In one history; more would let nothing get far. */
const MAX_DEATHS = 4;
const MAX_FREEZES = 3;

export interface FaultOptions {
  /** Only these kinds; by default the seed's own choice. */
  readonly kinds?: readonly Fault[] | undefined;
  /** Only these, by the names under which they were noted. */
  readonly only?: ReadonlySet<string> | undefined;
}

export class Faults {
  readonly kinds: ReadonlySet<Fault>;
  /** What happened, by name: the kind, who and what, and for the how manieth time. */
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
  /** Writes that took effect and nobody learnt of it, by the process and the call. */
  readonly unanswered: string[] = [];
  deaths = 0;
  #freezes = 0;
  /** What a script says of the call that goes on next. */
  forced: CallFault | undefined;

  constructor(seed: number, options: FaultOptions = {}) {
    this.#draws = new Draws(seed ^ 0x5bd1e995);
    this.#only = options.only;
    const all = Object.keys(FAULTS).filter(isFault);
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
   * From now on nothing goes wrong any more, except that partners may recover later than everything else.
   * @param partnersMs the instant of virtual time from which partners work, too
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

  /** Whether something of the world goes wrong this time. */
  happens(kind: WorldFault, what: string): boolean {
    if (this.#over || !this.kinds.has(kind)) return false;
    return this.#draws.chance(`${kind} ${what}`, RATES[kind]) && this.#note(kind, what);
  }

  /** How long something takes or is late, in milliseconds. */
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

/** A whole world from one seed: the product's processes on one table, and their triggers. */
import { hkdfSync } from 'node:crypto';
import type { DynamoDBStreamEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { ulid } from 'ulid';
import { internationalPhone } from '#functions/channels/phone';
import { keys } from '#functions/data/table/keys';
import { openTable } from '#functions/data/table/open-table';
import type { Item, Table } from '#functions/data/table/table';
import type { PostedLead } from '#functions/domain/sources/intake';
import type { HttpRequest } from '#functions/net/http';
import { type Environment, environment as environmentSchema } from '#functions/platform/environment';
import { FUNCTION_SPECS, QUEUES, type QueueName } from '#functions/platform/functions';
import type { Runtime } from '#functions/platform/runtime';
import { checkEmail, checkPhone } from '#functions/verification/offline';
import { create as createBounces } from '#functions/workers/bounces/index';
import { create as createCallback } from '#functions/workers/callback/index';
import { create as createDeliver } from '#functions/workers/deliver/index';
import { create as createDistribute } from '#functions/workers/distribute/index';
import { create as createNotify } from '#functions/workers/notify/index';
import { create as createOutbox } from '#functions/workers/outbox/index';
import { create as createReconcile } from '#functions/workers/reconcile/index';
import { create as createRedistribute } from '#functions/workers/redistribute/index';
import { create as createStatistics } from '#functions/workers/statistics/index';
import { lazy } from '#shared/rules/lazy';
import { MINUTE_MS } from '#test/harness/time';
import { type Api, createApiProcess } from '#test/simulation/api-process';
import { type FaultOptions, Faults } from '#test/simulation/faults';
import { NOTHING, Process, Scheduler, type Strategy, Violation } from '#test/simulation/kernel';
import { Known } from '#test/simulation/known';
import { bounceEvent } from '#test/simulation/mails';
import { outsideOf, type QueuedMessage, type Rewrite, type World } from '#test/simulation/outside';
import { Draws, hash32, sequence } from '#test/simulation/random';
import { recordOf } from '#test/simulation/records';
import { wrongAtTrackbox } from '#test/simulation/referee/partners';
import { createReferee, type Referee } from '#test/simulation/referee/referee';
import { SHARDS, TableModel } from '#test/simulation/table-model';
import { Watch } from '#test/simulation/watch';

/** Never aborts, because timeouts are simulated as partner faults. */
const NEVER = new AbortController().signal;
/** A Monday morning. */
const START = Date.UTC(2026, 2, 2, 9, 0, 0);
/** The starts of opening hours, Berlin days and weeks, and a repeated hour. */
const TURNS = [
  START + 60_000,
  Date.UTC(2026, 2, 1, 23),
  Date.UTC(2026, 2, 4, 23),
  Date.UTC(2026, 2, 28, 23),
  Date.UTC(2026, 9, 25, 1),
  Date.UTC(2026, 11, 31, 23),
];
/** The maximum time between the start of a world and such a time. */
const BEFORE_TURN_MS = { burst: 400, spread: 90_000 };
const KEY = Buffer.alloc(32, 7).toString('base64');
export const ENVIRONMENT: Environment = environmentSchema.parse({
  TABLE_NAME: 'simulated',
  KEYS_JSON: JSON.stringify({ session: KEY, encryption: [{ id: '1', key: KEY }] }),
  PUBLIC_BASE_URL: 'https://leads.example',
  DELIVER_QUEUE_URL: 'deliver',
  NOTIFY_QUEUE_URL: 'notify',
  CALLBACK_QUEUE_URL: 'callback',
  REDISTRIBUTE_QUEUE_URL: 'redistribute',
  DISTRIBUTE_QUEUE_URL: 'distribute',
  DELIVER_DLQ_URL: 'deliver-dead',
  EXPORT_BUCKET: 'exports',
  HEROLEADS_API_URL: 'https://hero.example/leads',
  SELLANYLEAD_API_URL: 'https://any.example/leads',
  PUSHOVER_API_URL: 'https://push.example/1',
});

const PERSON_KEY = new Uint8Array(hkdfSync('sha256', Buffer.from(KEY, 'base64'), '', 'mark of a person', 32));
/** Prices per lead, including amounts that no binary fraction equals. */
export const PRICES = ['19.99', '0.07', '1.15', '33.33', '250.00'] as const;
/** The maximum clock difference between processes: clocks are wrong by seconds, and jump. */
const CLOCK_SLACK_MS = 25_000;
/** In small worlds an actor may run a day later. */
const SMALL_SLACK_MS = 2 * 24 * 3600_000;

/** Whether a partner refuses a lead, and how long it takes to answer. */
const NO = { status: 422, headers: {}, body: '{"error":"not wanted"}' };
const NO_AFTER_MS = [0, 0, 900, 19_000];

/** @param buyer its internal number */
export const ownPartner = (buyer: number) => `crm${buyer}.example`;
const OWN_PARTNER = /^(?:crm|box)(\d+)\.example$/;
/** @param buyer its internal number */
export const ownBox = (buyer: number) => `box${buyer}.example`;
const TRACKBOX_MAPPING = { MPC_1: 'clickId', MPC_2: 'anlagebetrag', sub: 'laufzeit' };
/**
 * TrackBox settings that only one buyer has.
 * @param buyer its internal number
 */
export const trackboxOf = (buyer: number) => ({
  use_trackbox_api: true,
  trackbox_username: 'u',
  trackbox_password: 'p',
  trackbox_api_key: 'k',
  trackbox_domain: ownBox(buyer),
  trackbox_ai: '2958',
  trackbox_gi: '12',
  trackbox_custom_mapping: TRACKBOX_MAPPING,
});
/** TrackBox accepts and refuses with status 200. */
const BOX_YES = { status: 200, headers: {}, body: '{"status":true,"addonData":{"data":{"id":"kept"}}}' };
const BOX_NO = { status: 200, headers: {}, body: '{"status":false,"errorMessage":"not wanted"}' };
const isRefusal = ({ sk }: Item) => String(sk).startsWith('REFUSAL#');

/**
 * Partner settings that only one buyer has.
 * @param buyer its internal number
 */
export const partnerOf = (buyer: number) => ({
  use_http_api: true,
  http_url: `https://${ownPartner(buyer)}/leads`,
  http_body: '{"id":"$$lead_id$$"}',
  http_rules: [{ subject: 'status', path: '', value: '422', verdict: 'refused' } as const],
});

export interface Message {
  readonly id: string;
  readonly body: string;
  visibleAt: number;
  receives: number;
}

/** A server stops retrying within this time. */
const MAX_BACK_SECONDS = 200;
const MAX_RECEIVES = 5;
const VISIBILITY_FACTOR = 6;
/** Up to this many concurrent events start a function. */
const POLLERS: Readonly<Record<QueueName, number>> = {
  deliver: 2,
  notify: 1,
  callback: 1,
  redistribute: 2,
  distribute: 2,
  bounces: 1,
};
const MAX_BATCH = 5;
const MAX_RECORDS = 12;
/** The reconciliation redistributes the backlog at these minutes of the hour. */
const FULL_CHECK_MINUTES = 10;

/** Errors about unreadable or inconsistent stored data. */
const UNEXPECTED: ReadonlySet<string> = new Set([
  '$ZodError',
  'ZodError',
  'ValidationException',
  'TypeError',
  'RangeError',
  'SyntaxError',
  'ReferenceError',
]);

export type End<T> =
  | { readonly end: 'answered'; readonly answer: T }
  | { readonly end: 'failed'; readonly error: unknown }
  | { readonly end: 'died' }
  | { readonly end: 'timeout' };

export interface WorldOptions {
  readonly seed: number;
  readonly strategy: Strategy;
  readonly faults?: FaultOptions;
  readonly record?: boolean;
  readonly rewrite?: Rewrite | undefined;
  /** The traits of this world, by property name; otherwise the seed decides. */
  readonly traits?: readonly string[];
  /** Whether steps take no time, which enumerating interleavings requires. */
  readonly timeStandsStill?: boolean;
}

/** Imports everything that the product imports dynamically, so that no history waits for the file system. */
export const importOnce = lazy(async () => {
  const person = {
    anrede: 'Frau',
    vorname: 'Erika',
    nachname: 'Muster',
    email: 'erika@example.org',
    telefon: '+4917012345678',
    anlagebetrag: 1,
    laufzeit: 1,
  } as const;
  checkEmail(person);
  await checkPhone(person);
  await internationalPhone(person.telefon);
  await Promise.all([
    import('#functions/platform/claim-review'),
    import('#functions/workers/deliver/reassign'),
    import('#functions/workers/reconcile/alerts'),
    import('#functions/workers/reconcile/overdue-claims'),
    import('#functions/workers/reconcile/erasures'),
    import('#functions/workers/reconcile/buyer-notifications'),
    import('#functions/domain/orders/renewal'),
    import('#functions/queues/sqs'),
    import('#functions/workers/reconcile/audit-checkpoints'),
  ]);
});

interface Instance<Handler> {
  readonly process: Process;
  readonly handler: Handler;
}

/** A function of the product: its warm processes, each handling one event at a time. */
class Host<Handler> {
  readonly #idle: Instance<Handler>[] = [];
  #count = 0;

  constructor(
    readonly world: SimulatedWorld,
    readonly name: string,
    readonly limitMs: number,
    readonly create: (runtime: Runtime) => Handler,
  ) {}

  #start(): Instance<Handler> {
    this.#count += 1;
    const process = this.world.process(`${this.name}${this.#count}`);
    return { process, handler: this.create(this.world.runtimeOf(process)) };
  }

  /** Handles an event in a warm process, or in a new one if all are busy or gone. */
  async invoke<T>(event: (handler: Handler, process: Process) => Promise<T>): Promise<End<T>> {
    const { world } = this;
    while (this.#idle[0]?.process.alive === false) this.#idle.shift();
    // The local runtime handles all events in one process concurrently, Lambda one event per process.
    const shared = world.oneProcess ? this.#idle.find(({ process }) => process.alive) : undefined;
    const fresh = this.#idle.length === 0 || world.draws.chance(`cold ${this.name}`, 0.1);
    const instance = shared ?? (fresh ? undefined : this.#idle.shift()) ?? this.#start();
    if (world.oneProcess && shared === undefined) this.#idle.push(instance);
    const { process, handler } = instance;
    if (world.faults.happens('clockJumps', process.name))
      process.skew +=
        world.faults.milliseconds(process.name, 1, 8_000) * (world.draws.chance('back', 0.5) ? 1 : -1);
    const limit = world.faults.kinds.has('limits') ? world.limit(this.limitMs) : undefined;
    const work = event(handler, process).then(
      (answer): End<T> => ({ end: 'answered', answer }),
      (error: unknown): End<T> => ({ end: 'failed', error }),
    );
    const died = process.ended.then((): End<T> => ({ end: 'died' }));
    const result = await Promise.race([
      work,
      died,
      ...(limit === undefined ? [] : [limit.reached.then((): End<T> => ({ end: 'timeout' }))]),
    ]);
    limit?.cancel();
    // Lambda ends the process. A frozen process wakes later and continues, as if its calls were already sent.
    if (result.end === 'timeout') {
      world.ended += 1;
      if (process.frozenUntil <= world.scheduler.now) process.kill();
    }
    if ((result.end === 'answered' || result.end === 'failed') && process.alive && !world.oneProcess)
      this.#idle.push(instance);
    return result;
  }
}

const leadIn = ({ body = '' }: HttpRequest): string =>
  /"(?:uuid|lead_id|external_id|id|MPC_10)": ?"([0-9A-Z]{26})"/.exec(body)?.[1] ?? '';

export class SimulatedWorld implements World {
  readonly scheduler: Scheduler;
  readonly table: TableModel;
  readonly faults: Faults;
  readonly draws: Draws;
  readonly database: Process;
  readonly seed: number;
  readonly rewrite: Rewrite | undefined;
  readonly oneProcess: boolean;
  readonly messages: Readonly<Record<string, Message[]>> = Object.fromEntries(
    QUEUES.map((queue): [string, Message[]] => [queue, []]),
  );
  readonly dead: Message[] = [];
  /** Leads received by partners: count by lead. */
  readonly kept = new Map<string, number>();
  /** How often a received lead was answered with an error. */
  readonly #keptInError = new Map<string, number>();
  readonly pushes: string[] = [];
  /** Callbacks received by sources: count by host and event. */
  readonly calledBack = new Map<string, number>();
  /** Posts of sources, by their own IDs. */
  readonly posted = new Map<string, PostedLead>();
  /** Whether a client of a source left without an answer. */
  sourcesGaveUp = false;
  /** The subjects of the operator's notices. */
  readonly notified: string[] = [];
  /** E-mails about claims received by a mail server: count by Message-ID. */
  readonly letters = new Map<string, number>();
  readonly consumed: Record<'outbox' | 'statistics', number[]> = {
    outbox: Array.from({ length: SHARDS }, () => 0),
    statistics: Array.from({ length: SHARDS }, () => 0),
  };
  readonly api: Host<Api>;
  /** How many functions are running. */
  running = 0;
  /** Processes that were ended by a timeout. */
  ended = 0;
  /** Errors without a fault as their cause. */
  readonly surprises: string[] = [];
  /** People's requests, each under a unique name, and their answers. */
  readonly asked: {
    readonly who: string;
    readonly name: string;
    readonly outcome: 'done' | 'refused' | 'unknown';
  }[] = [];
  /** Whether nothing is in progress; set by the code that runs the history. */
  calm: () => boolean = () => false;
  /** Whether leads and actions are concurrent. */
  readonly oneBurst: boolean;
  /** Whether there is one buyer with one partner for many leads. */
  readonly isCrowded: boolean;
  /** Whether leads also come from sources. */
  readonly hasSources: boolean;
  /** Whether orders have caps and buyers have hours. */
  readonly isPaced: boolean;
  readonly personKey: Uint8Array = PERSON_KEY;
  /** Whether partners refuse leads. */
  readonly isRefusing: boolean;
  /** Whether buyers file claims that are decidable automatically, and admins reverse the decisions. */
  readonly isClaiming: boolean;
  /** Whether people are erased. */
  readonly isErasing: boolean;
  /** Whether leads come with consents, buyers require them, and people withdraw them. */
  readonly isConsenting: boolean;
  /** Whether buyers know people. */
  readonly isKnowing: boolean;
  /** Whether admins are alerted and buyers get notifications. */
  readonly isNotifying: boolean;
  /** Whether e-mails bounce. */
  readonly isBouncing: boolean;
  /** Whether admins change settings and access, and buyers use codes. */
  readonly isAdministered: boolean;
  /** Bounced e-mails, by their server's IDs. */
  readonly bounced = new Set<string>();
  readonly known = new Known();
  readonly referee: Referee;
  /** The buyer whose partner refuses every lead, if any. */
  refuser: number | undefined;
  readonly startMs: number;
  /** When the last full reconciliation began. */
  restedAtMs = 0;
  /** Whether people act on the same objects. */
  readonly isFocused: boolean;
  #messageIds = 0;
  #mails = 0;
  /** Runs of the reconciliation since faults were turned off. */
  reconciled = 0;
  /** The number of changes when the last reconciliation found nothing to do. */
  #changesAtRest: number | undefined;
  readonly #environment: Process;
  /** Changes of items since the start, except for job records. */
  #changes = 0;
  /** How often items of a kind were written. */
  readonly #writes = new Map<string, number>();

  constructor(options: WorldOptions) {
    this.seed = options.seed;
    this.rewrite = options.rewrite;
    this.draws = new Draws(options.seed);
    this.faults = new Faults(options.seed, options.faults);
    this.oneBurst = this.draws.chance('burst', 0.4);
    const { traits } = options;
    const drawn = (trait: string, name: string, probability: number) =>
      traits === undefined ? this.draws.chance(name, probability) : traits.includes(trait);
    this.isCrowded = drawn('isCrowded', 'crowd', 0.08);
    this.isFocused = drawn('isFocused', 'focus', 0.4);
    this.oneProcess = drawn('oneProcess', 'one process', 0.25);
    this.isPaced = drawn('isPaced', 'has pace', 0.35);
    this.isRefusing = drawn('isRefusing', 'refusing', 0.45);
    this.isClaiming = drawn('isClaiming', 'claiming', 0.3);
    this.isErasing = drawn('isErasing', 'erasing', 0.25);
    this.isConsenting = drawn('isConsenting', 'consenting', 0.35);
    this.isKnowing = drawn('isKnowing', 'knowing', 0.3);
    this.isBouncing = drawn('isBouncing', 'bouncing', 0.4);
    this.isNotifying = drawn('isNotifying', 'telling', 0.4);
    this.isAdministered = drawn('isAdministered', 'administered', 0.35);
    const beforeMs = this.oneBurst ? BEFORE_TURN_MS.burst : BEFORE_TURN_MS.spread;
    this.startMs = this.isPaced
      ? this.draws.pick('turn', TURNS) - this.draws.below('before turn', beforeMs)
      : START;
    const pace = sequence(hash32('pace', options.seed));
    const still = options.timeStandsStill === true;
    this.scheduler = new Scheduler({
      strategy: options.strategy,
      pass: () => (still ? 0 : Math.floor(pace() ** 3 * 40)),
      startMs: this.startMs,
      ...(options.record !== undefined && { record: options.record }),
    });
    this.referee = createReferee({
      now: () => this.scheduler.now,
      slackMs: still ? SMALL_SLACK_MS : CLOCK_SLACK_MS,
      prices: PRICES,
      personKey: PERSON_KEY,
    });
    const watch = new Watch(this);
    this.table = new TableModel({
      now: () => this.scheduler.now,
      lagMs: () =>
        this.faults.happens('indexLag', 'write') ? this.faults.milliseconds('lag', 10, 3_000) : 0,
      pageSize: () =>
        traits?.includes('pagesOfOne') === true
          ? 1
          : this.faults.happens('shortPages', 'page')
            ? 1 + this.faults.below('page', 4)
            : Number.POSITIVE_INFINITY,
      answersKey: () => !this.faults.happens('shortPages', 'key'),
      changed: (changes) => {
        for (const { pk, after } of changes) {
          const kind = pk.split('#', 1)[0] ?? '';
          const token = pk.slice(kind.length + 1);
          if (after === undefined && kind === 'TOKEN') this.known.formerTokens.push(token);
          if (after === undefined && kind === 'SPECIFICATION') this.known.formerSpecifications.push(token);
          this.#writes.set(kind, (this.#writes.get(kind) ?? 0) + 1);
          if (kind !== keys.jobs().pk) this.#changes += 1;
        }
        this.referee.observe(changes);
        watch.follow(changes);
      },
    });
    this.database = new Process('database', this.scheduler);
    this.#environment = new Process('world', this.scheduler);
    this.hasSources = drawn('hasSources', 'has sources', this.isConsenting ? 0.8 : 0.3);
    this.api = new Host(this, 'api', FUNCTION_SPECS.leads.timeout * 1000, (runtime) =>
      createApiProcess(ENVIRONMENT, runtime),
    );
  }

  /** Resolves with the next write of an item of this kind, or after a time, so that actions conflict. */
  nextWrite(process: Process, kind: string, atMostMs: number): Promise<void> {
    const seen = this.#writes.get(kind) ?? 0;
    const until = this.scheduler.now + atMostMs;
    return process.call(
      `await ${kind}`,
      NOTHING,
      false,
      () => undefined,
      () => ((this.#writes.get(kind) ?? 0) > seen ? 0 : until),
    );
  }

  process(name: string): Process {
    const process = new Process(name, this.scheduler);
    if (this.faults.happens('skewedClocks', name))
      process.skew = (this.draws.next(`skew ${name}`) - 0.5) * 6_000;
    return process;
  }

  runtimeOf(process: Process): Runtime {
    const random = sequence(hash32(process.name, this.seed));
    const now = () => new Date(Math.floor(this.scheduler.now + process.skew));
    return {
      now,
      newId: () => ulid(now().getTime(), random),
      newToken: () =>
        Array.from({ length: 43 }, () => 'abcdefghijklmnopqrstuvwxyzABCDEF'[Math.floor(random() * 32)]).join(
          '',
        ),
      random,
      sleep: (milliseconds) => process.sleep(milliseconds),
      timeout: () => NEVER,
      log: {
        info: () => undefined,
        // Without an address the operator's notices are logged.
        warn: (_, fields) => {
          if (typeof fields?.subject === 'string') this.notified.push(fields.subject);
        },
        error: (message, fields) => this.#logged(process, message, fields?.error),
      },
      metrics: { record: () => undefined },
      externalServices: outsideOf(process, this),
    };
  }

  /** The product's functions with immediate calls. */
  setUpRuntime(): Runtime {
    const process = new Process('setup', this.scheduler);
    const send = async (command: { constructor: { name: string }; input: object }) =>
      this.table.send(command.constructor.name, command.input);
    const runtime = this.runtimeOf(process);
    return {
      ...runtime,
      sleep: async () => undefined,
      ...(runtime.externalServices && {
        externalServices: { ...runtime.externalServices, table: { send } as never },
      }),
    };
  }

  #logged(process: Process, message: string, error: unknown): void {
    const name = typeof error === 'string' ? error : '';
    this.scheduler.note(process.name, 'log', `${message} ${name}`);
    if (UNEXPECTED.has(name)) this.surprises.push(`${process.name} logged ${name}: ${message}`);
  }

  /** An error that reached a person. */
  unexpected(process: string, error: unknown): void {
    if (error instanceof Error && UNEXPECTED.has(error.name))
      this.surprises.push(`${process} met ${error.stack ?? error.message}`);
  }

  /** A table with immediate calls outside the schedule, to set up and inspect the world. */
  directTable(): Table {
    return openTable(ENVIRONMENT, this.setUpRuntime());
  }

  send(queue: string, messages: readonly QueuedMessage[]): void {
    const list = this.messages[queue];
    if (list === undefined) return;
    for (const { body, delaySeconds } of messages) {
      this.#messageIds += 1;
      const late = this.faults.happens('messageLate', queue)
        ? this.faults.milliseconds(queue, 500, 120_000)
        : 0;
      list.push({
        id: `m${this.#messageIds}`,
        body,
        visibleAt: this.scheduler.now + delaySeconds * 1000 + late,
        receives: 0,
      });
    }
  }
  readonly partners = {
    take: (request: HttpRequest, fails = false) => {
      if (request.url.includes('push.example')) {
        this.pushes.push(request.body ?? '');
        return { status: 200, headers: {}, body: '{"status":1}' };
      }
      const host = new URL(request.url).host;
      if (/^(?:hook|track)\d/.test(host)) {
        const id = request.headers?.['webhook-id'] ?? new URL(request.url).searchParams.get('id') ?? '';
        this.calledBack.set(`${host} ${id}`, (this.calledBack.get(`${host} ${id}`) ?? 0) + 1);
        return { status: 200, headers: {}, body: '' };
      }
      const lead = leadIn(request);
      this.#stillBelongs(lead, host);
      const isBox = host.startsWith('box');
      if (isBox) this.#tells(lead, request.body ?? '');
      if (this.#refuses(lead)) {
        if (!fails) this.#refused(request);
        return {
          ...(isBox ? BOX_NO : NO),
          afterMs: this.isRefusing ? this.draws.pick('no after', NO_AFTER_MS) : 0,
        };
      }
      const name = `${lead} ${host}`;
      this.kept.set(name, (this.kept.get(name) ?? 0) + 1);
      if (fails) this.#keptInError.set(name, (this.#keptInError.get(name) ?? 0) + 1);
      return isBox ? BOX_YES : { status: 200, headers: {}, body: '{"id":"kept"}' };
    },
    refuse: (request: HttpRequest): void => this.#refused(request),
    keep: ({ messageId, text }: { readonly messageId: string; readonly text: string }): string => {
      const [name = ''] = messageId.split('.');
      const [, token] = /\/erasure\/([\w-]+)/.exec(text) ?? [];
      if (token !== undefined) this.known.erasureTokens.push(token);
      if (/^(claim|link|erasure|withdrawal|consent)-/.test(messageId))
        this.letters.set(messageId, (this.letters.get(messageId) ?? 0) + 1);
      else this.kept.set(`${name} mail`, (this.kept.get(`${name} mail`) ?? 0) + 1);
      this.#mails += 1;
      const id = `mail-${this.#mails}`;
      if (this.isBouncing && !/^[a-z]/.test(name) && this.draws.chance('comes back', 0.4))
        this.#comesBack(name, id);
      return id;
    },
  };

  /** A refusal overrides earlier results for leads that the partner kept but answered with an error (ADR 49). */
  #refused(request: HttpRequest): void {
    const name = `${leadIn(request)} ${new URL(request.url).host}`;
    const left = (this.kept.get(name) ?? 0) - (this.#keptInError.get(name) ?? 0);
    this.#keptInError.delete(name);
    if (left > 0) this.kept.set(name, left);
    else this.kept.delete(name);
  }

  /** Minutes later the mail server reports that the mailbox does not exist. */
  #comesBack(lead: string, id: string): void {
    this.bounced.add(id);
    const body = JSON.stringify(bounceEvent(lead, id, new Date(this.scheduler.now)));
    this.send('bounces', [{ body, delaySeconds: this.draws.below('comes back', MAX_BACK_SECONDS) }]);
  }

  /** Data sent to TrackBox must match the lead. */
  #tells(lead: string, body: string): void {
    const item = this.table.partition(`LEAD#${lead}`).find(({ sk }) => sk === 'LEAD');
    // After an erasure in transit there is nothing left to compare.
    if (item === undefined || item.erased_at !== undefined) return;
    const wrong = wrongAtTrackbox(JSON.parse(body) as Item, item, trackboxOf(0), TRACKBOX_MAPPING);
    if (wrong !== undefined) throw new Violation(`TrackBox gets lead ${lead}: ${wrong}`);
  }

  /** A buyer's own partner gets no leads that have left the buyer. */
  #stillBelongs(lead: string, host: string): void {
    const buyer = Number(OWN_PARTNER.exec(host)?.[1]);
    const left = this.table.partition(`LEAD#${lead}`).some((item) => isRefusal(item) && item.buyer === buyer);
    if (left) throw new Violation(`${host} gets the lead ${lead}, which has left its buyer`);
  }

  /** Whether a partner refuses a lead: nearly always if it did before, independently for each buyer. */
  #refuses(lead: string): boolean {
    const item = this.table.partition(`LEAD#${lead}`).find(({ sk }) => sk === 'LEAD');
    if (!this.isRefusing) return this.refuser !== undefined && item?.buyer === this.refuser;
    const unwanted = hash32(`unwanted ${lead} ${String(item?.buyer)}`, this.seed) / 2 ** 32 < 0.6;
    return unwanted && this.draws.chance('no', 0.9);
  }

  limit(milliseconds: number): { readonly reached: Promise<void>; readonly cancel: () => void } {
    const until = this.scheduler.now + milliseconds;
    let reach: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => {
      reach = resolve;
    });
    const call = this.scheduler.park({
      process: this.#environment,
      label: 'limit',
      touches: NOTHING,
      writes: false,
      at: () => until,
      run: () => {
        reach();
        return 'reached';
      },
    });
    return { reached, cancel: () => this.scheduler.drop(call) };
  }

  /** Starts all triggers of the product's functions: stream, queues and schedule. */
  startWorkers(): void {
    const secondsOf = (name: keyof typeof FUNCTION_SPECS) => FUNCTION_SPECS[name].timeout * 1000;
    const host = <Handler>(
      name: keyof typeof FUNCTION_SPECS,
      create: (environment: Environment, runtime: Runtime) => Handler,
    ) => new Host(this, name, secondsOf(name), (runtime) => create(ENVIRONMENT, runtime));
    const [outbox, statistics] = [host('outbox', createOutbox), host('statistics', createStatistics)];
    for (let shard = 0; shard < SHARDS; shard += 1) {
      this.#follow('outbox', shard, (event) => outbox.invoke((handler) => handler(event)));
      this.#follow('statistics', shard, (event) => statistics.invoke((handler) => handler(event)));
    }
    const poll = (
      queue: QueueName,
      create: (environment: Environment, runtime: Runtime) => (event: SQSEvent) => Promise<SQSBatchResponse>,
    ) => {
      const worker = host(queue, create);
      this.#poll(queue, secondsOf(queue), (event) => worker.invoke((handler) => handler(event)));
    };
    poll('deliver', createDeliver);
    poll('notify', createNotify);
    poll('redistribute', createRedistribute);
    poll('distribute', createDistribute);
    if (this.hasSources) poll('callback', createCallback);
    if (this.isBouncing) poll('bounces', createBounces);
    const reconcile = host('reconcile', createReconcile);
    this.#everyMinute(async () => {
      let clocks: number[] = [];
      const ended = await reconcile.invoke(async (handler, process) => {
        const clock = () => this.scheduler.now + process.skew;
        const from = clock();
        await handler({});
        // It checks its clock in between.
        clocks = [from, clock()];
      });
      const full = clocks.every((at) => new Date(at).getUTCMinutes() % FULL_CHECK_MINUTES === 0);
      return { ended, full: full && ended.end === 'answered' };
    });
  }

  #loop(name: string, body: (process: Process) => Promise<void>): void {
    const process = new Process(name, this.scheduler);
    void (async () => {
      try {
        for (;;) await body(process);
      } catch (error) {
        this.scheduler.violation ??= error instanceof Error ? error : new Error(String(error));
      }
    })();
  }

  #follow(
    consumer: 'outbox' | 'statistics',
    shard: number,
    handle: (
      event: DynamoDBStreamEvent,
    ) => Promise<End<{ readonly batchItemFailures: readonly { itemIdentifier: string }[] }>>,
  ): void {
    const records = this.table.shards[shard] ?? [];
    const consumed = this.consumed[consumer];
    this.#loop(`${consumer}-${shard}`, async (process) => {
      const from = await process.call(
        `read ${consumer}`,
        [`stream ${consumer}`],
        true,
        () => consumed[shard] ?? 0,
        () => ((consumed[shard] ?? 0) < records.length ? 0 : Number.POSITIVE_INFINITY),
      );
      this.running += 1;
      const batch = records.slice(from, from + 1 + this.draws.below(`records ${consumer}`, MAX_RECORDS));
      const ended = await handle({ Records: batch.map((change, at) => recordOf(change, from + at)) });
      this.running -= 1;
      if (ended.end !== 'answered') {
        await process.sleep(1_000);
        return;
      }
      const failed = ended.answer.batchItemFailures[0]?.itemIdentifier;
      if (failed !== undefined) consumed[shard] = failed === '' ? from : Number(failed);
      else if (!this.faults.happens('recordsAgain', `${consumer} ${shard}`))
        consumed[shard] = from + batch.length;
    });
  }

  #poll(
    queue: QueueName,
    limitMs: number,
    handle: (event: SQSEvent) => Promise<End<SQSBatchResponse>>,
  ): void {
    const list = this.messages[queue] ?? [];
    const next = () =>
      list.reduce((first, { visibleAt }) => Math.min(first, visibleAt), Number.POSITIVE_INFINITY);
    for (let poller = 1; poller <= POLLERS[queue]; poller += 1)
      this.#loop(`${queue}-poller${poller}`, async (process) => {
        const batch = await process.call(
          `receive ${queue}`,
          [`queue ${queue}`],
          true,
          () => this.#receive(queue, list, limitMs),
          next,
        );
        if (batch.length === 0) return;
        this.running += 1;
        const ended = await handle({
          Records: batch.map(({ id, body }) => ({ messageId: id, body })),
        } as SQSEvent);
        this.running -= 1;
        const failed = new Set(
          ended.end === 'answered'
            ? ended.answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)
            : batch.map(({ id }) => id),
        );
        for (const message of batch) {
          // Messages of a batch that failed as a whole are received again after their visibility timeout.
          if (failed.has(message.id) || this.faults.happens('messageKept', queue)) continue;
          const at = list.indexOf(message);
          if (at >= 0) list.splice(at, 1);
        }
      });
  }

  #receive(queue: string, list: Message[], limitMs: number): Message[] {
    const now = this.scheduler.now;
    const most = 1 + this.draws.below(`batch ${queue}`, MAX_BATCH);
    const batch: Message[] = [];
    const visible = list.filter(({ visibleAt }) => visibleAt <= now);
    while (visible.length > 0 && batch.length < most) {
      const [message] = visible.splice(this.draws.below(`order ${queue}`, visible.length), 1);
      if (message === undefined) break;
      message.receives += 1;
      if (message.receives > MAX_RECEIVES) {
        list.splice(list.indexOf(message), 1);
        this.dead.push(message);
        continue;
      }
      if (!this.faults.happens('messageTwice', queue)) message.visibleAt = now + VISIBILITY_FACTOR * limitMs;
      batch.push(message);
    }
    return batch;
  }

  #everyMinute(handle: () => Promise<{ readonly ended: End<void>; readonly full: boolean }>): void {
    this.#loop('schedule', async (process) => {
      const now = this.scheduler.now;
      // When the world is quiet, time passes in larger steps, as with a late schedule.
      const long = this.faults.stopped && this.reconciled > 2;
      const step = long ? FULL_CHECK_MINUTES * MINUTE_MS : MINUTE_MS;
      // Slightly after the minute, so that slightly wrong clocks show the same minute.
      await process.sleep(step - (now % step) + (long ? MINUTE_MS / 2 : 0));
      const before = this.calm() ? this.#changes : undefined;
      const begunMs = this.scheduler.now;
      this.running += 1;
      const again = this.faults.happens('minuteTwice', 'minute') ? handle() : undefined;
      const { ended, full } = await handle();
      await again;
      this.running -= 1;
      if (this.faults.stopped && ended.end === 'answered') {
        this.reconciled += 1;
        this.#changesAtRest = full && before === this.#changes ? before : undefined;
        if (this.#changesAtRest !== undefined) this.restedAtMs = begunMs;
      }
      if (this.faults.happens('expiry', 'minute')) this.table.expire(Math.floor(this.scheduler.now / 1000));
    });
  }

  /** Whether a lead may have been resent correctly because the outcome was unknown. */
  get mayRepeat(): boolean {
    return (
      this.ended > 0 ||
      this.faults.unanswered.length > 0 ||
      this.faults.happened.some((name) =>
        /^(killed|frozen|late|failsAfter|silentAfter|mailCutOff|mailUnconfirmed|mailLate|clockJumps|throttled|conflict)/.test(
          name,
        ),
      )
    );
  }

  /**
   * Whether the last reconciliation checked everything while nothing was in progress, had nothing to do, and nothing
   * has changed since.
   */
  get atRest(): boolean {
    return this.#changesAtRest === this.#changes;
  }
}

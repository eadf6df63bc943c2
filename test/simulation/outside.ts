/** The environment of a simulated process: the table behind a model of the SDK, the queues, and the partners. */

import { createHash } from 'node:crypto';
import { type HttpAnswer, HttpFailure, type HttpRequest } from '#functions/net/http';
import type { ExternalServices, MailReport } from '#functions/platform/external-services';
import type { CallFault, Faults, MailFault } from '#test/simulation/faults';
import { type Process, Violation } from '#test/simulation/kernel';
import { EVERYTHING } from '#test/simulation/strategies';
import type { Input, TableModel } from '#test/simulation/table-model';

/** The SDK's attempts for one command, the first included. */
const MAX_ATTEMPTS = 5;
/** How long a process may sleep: longer than every lease and every function's timeout. */
const FROZEN_MS = [20_000, 400_000] as const;
const LATE_MS = [100, 40_000] as const;

const failure = (name: string, more: object = {}) => Object.assign(new Error(name), { name, ...more });

export interface Command {
  readonly name: string;
  readonly input: Input;
}

/** Changes a command before it reaches the table, to simulate a fault of the product. */
export type Rewrite = (command: Command) => Command;

export interface World {
  readonly table: TableModel;
  readonly faults: Faults;
  readonly partners: Partners;
  /** The table's own process, which finishes commands that have begun. */
  readonly database: Process;
  readonly rewrite?: Rewrite | undefined;
  send(queue: string, messages: readonly QueuedMessage[]): void;
}

export interface QueuedMessage {
  readonly body: string;
  readonly delaySeconds: number;
}

export interface Partners {
  /**
   * A request that has arrived.
   * @param fails whether the partner nevertheless answers with an error
   * @returns the answer and its delay
   */
  take(request: HttpRequest, fails?: boolean): HttpAnswer & { readonly afterMs?: number };
  /** The partner clearly refuses. */
  refuse(request: HttpRequest): void;
  /**
   * The server keeps an e-mail.
   * @returns the server's ID for it
   */
  keep(message: { readonly messageId: string; readonly text: string }): string;
}

/** Everything outside of one process. */
export function outsideOf(process: Process, world: World): ExternalServices {
  return {
    table: {
      send: (command: object) => sendToTable(process, world, commandOf(command)),
    } as never,
    queues: {
      send: (command: object) => sendToQueue(process, world, command as SendBatch),
    } as never,
    http: (request) => callPartner(process, world, request),
    mail: (message, timeouts) => sendMail(process, world, message, timeouts),
    files: { count: async () => 0, clear: async () => undefined },
    scrypt: async (password, salt, length) =>
      createHash('sha256').update(salt).update(password).digest().subarray(0, length),
  };
}

function commandOf(command: object): Command {
  return { name: command.constructor.name, input: (command as { readonly input: Input }).input };
}

const WRITES = new Set(['PutCommand', 'UpdateCommand', 'DeleteCommand', 'TransactWriteCommand']);

async function sendToTable(process: Process, world: World, given: Command): Promise<object> {
  const command = world.rewrite?.(given) ?? given;
  const { name, input } = command;
  const writes = WRITES.has(name);
  const call = { ...described(name, input), writes };
  let hasLostAnswer = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce(process, world, command, call);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const repeated =
        error.name === 'LostAnswer' ||
        error.name === 'ProvisionedThroughputExceededException' ||
        error.name === 'TransactionInProgressException';
      hasLostAnswer ||= error.name === 'LostAnswer';
      if (repeated && attempt < MAX_ATTEMPTS) continue;
      if (repeated && hasLostAnswer) world.faults.unanswered.push(`${process.name} ${call.label}`);
      throw error;
    }
  }
}

const OF_WRITES: ReadonlySet<CallFault> = new Set(['conflict', 'lostAnswer', 'lostForGood', 'killedAfter']);

function attemptOnce(process: Process, world: World, { name, input }: Command, call: Call): Promise<object> {
  const { label, touches, writes } = call;
  const { table, faults, database } = world;
  const possible = (kind: CallFault) => writes || !OF_WRITES.has(kind);
  let fault: CallFault | undefined;
  const arrive = (): object | Promise<object> => {
    if (fault === 'throttled') throw failure('ProvisionedThroughputExceededException');
    if (fault === 'conflict')
      throw name === 'TransactWriteCommand'
        ? failure('TransactionCanceledException', { CancellationReasons: [{ Code: 'TransactionConflict' }] })
        : failure('TransactionConflictException');
    if (name === 'TransactWriteCommand' && faults.happens('twoSteps', label)) {
      const transaction = table.prepare(input);
      return database.call(
        `commit ${label.slice(label.indexOf(' ') + 1)}`,
        touches,
        true,
        transaction.commit,
      );
    }
    return table.send(name, input);
  };
  return underFaults(process, faults, call, {
    possible,
    arrive,
    chosen: (kind) => {
      fault = kind;
    },
  });
}

interface Call {
  readonly label: string;
  readonly touches: readonly string[];
  readonly writes: boolean;
}

interface Faulty<T> {
  readonly possible: (kind: CallFault) => boolean;
  /** Takes effect and answers. */
  readonly arrive: () => T | Promise<T>;
  /** Gets the fault before the call arrives. */
  readonly chosen?: (kind: CallFault | undefined) => void;
}

/**
 * One call with faults: it may be delayed, never arrive, or take effect without an answer, and its process may die or
 * sleep meanwhile.
 */
function underFaults<T>(
  process: Process,
  faults: Faults,
  { label, touches, writes }: Call,
  { possible, arrive, chosen }: Faulty<T>,
): Promise<T> {
  return process.call<T>(label, touches, writes, () => {
    const fault = faults.ofCall(process.name, label, possible);
    chosen?.(fault);
    switch (fault) {
      case 'killedBefore':
        process.kill();
        throw failure('Killed');
      case 'killedAfter':
        process.kill();
        return kept(arrive());
      case 'frozen':
        process.frozenUntil = process.scheduler.now + faults.milliseconds(label, ...FROZEN_MS);
        return kept(arrive());
      case 'late': {
        const at = process.scheduler.now + faults.milliseconds(label, ...LATE_MS);
        return kept(process.call<T>(`${label} (late)`, touches, writes, arrive, () => at));
      }
      case 'lostAnswer':
        unanswered(arrive);
        throw failure('LostAnswer');
      case 'lostForGood':
        unanswered(arrive);
        throw failure('TimeoutError');
      case 'throttled':
      case 'conflict':
      case undefined:
        return kept(arrive());
    }
  });
}

/** An answer may fail long before a frozen process wakes and sees it. */
function kept<T>(answer: T): T {
  if (answer instanceof Promise) answer.catch(() => undefined);
  return answer;
}

/** Takes effect without an answer. */
function unanswered(arrive: () => unknown): void {
  try {
    void Promise.resolve(arrive()).catch(() => undefined);
  } catch (error) {
    if (error instanceof Violation) throw error;
  }
}

function described(name: string, input: Input): { label: string; touches: readonly string[] } {
  const verb = name.slice(0, -'Command'.length).toLowerCase();
  switch (name) {
    case 'TransactWriteCommand': {
      const keys = (input.TransactItems ?? []).map((item) => {
        const part = Object.values(item)[0];
        return part?.Item ?? part?.Key ?? {};
      });
      return { label: `transact ${keys.map(short).join(' ')}`, touches: keys.flatMap(touched) };
    }
    case 'BatchGetCommand': {
      const keys = Object.values(input.RequestItems ?? {}).flatMap(({ Keys }) => Keys);
      return { label: `batchget ${keys.map(short).join(' ')}`, touches: keys.flatMap(itemTouched) };
    }
    case 'QueryCommand': {
      const partition = String(input.ExpressionAttributeValues?.[':pk']);
      return input.IndexName === undefined
        ? { label: `query ${partition}`, touches: [partition] }
        : { label: `query ${input.IndexName} ${partition}`, touches: [EVERYTHING] };
    }
    case 'ScanCommand':
      return { label: 'scan', touches: [EVERYTHING] };
    default: {
      const key = input.Item ?? input.Key ?? {};
      return { label: `${verb} ${short(key)}`, touches: verb === 'get' ? itemTouched(key) : touched(key) };
    }
  }
}

const itemTouched = (key: object): string[] => [`${Reflect.get(key, 'pk')}/${Reflect.get(key, 'sk')}`];
const touched = (key: object): string[] => [String(Reflect.get(key, 'pk')), ...itemTouched(key)];

/** A key without random parts that differ between processes; lead IDs keep their last characters. */
function short(key: object): string {
  const [pk, sk] = [String(Reflect.get(key, 'pk')), String(Reflect.get(key, 'sk'))];
  const text = pk === sk ? pk : `${pk}/${sk.replace(/^0+(?=\d)/, '')}`;
  return text.startsWith('AUDIT#') ? 'AUDIT' : text;
}

interface SendBatch {
  readonly input: {
    readonly QueueUrl: string;
    readonly Entries: readonly {
      readonly Id: string;
      readonly MessageBody: string;
      readonly DelaySeconds?: number;
    }[];
  };
}

function sendToQueue(process: Process, world: World, { input }: SendBatch): Promise<object> {
  const { faults } = world;
  const label = `send ${input.QueueUrl}`;
  const possible = (kind: CallFault) => kind !== 'throttled' && kind !== 'conflict';
  const call = { label, touches: [`queue ${input.QueueUrl}`], writes: true };
  return underFaults(process, faults, call, {
    possible,
    arrive: () => {
      const taken = input.Entries.filter(
        ({ Id }) => !faults.happens('sendCut', `${process.name} ${label} ${Id}`),
      );
      world.send(
        input.QueueUrl,
        taken.map(({ MessageBody, DelaySeconds = 0 }) => ({ body: MessageBody, delaySeconds: DelaySeconds })),
      );
      return { Successful: taken.map(({ Id }) => ({ Id })), Failed: [] };
    },
  });
}

async function callPartner(process: Process, world: World, request: HttpRequest): Promise<HttpAnswer> {
  const { faults, partners } = world;
  const host = new URL(request.url).host;
  const label = `call ${host}`;
  const answer = (status: number, headers: Record<string, string> = {}): HttpAnswer => ({
    status,
    headers,
    body: '{}',
  });
  let hangs = false;
  const outcome = await process.call<HttpAnswer & { readonly afterMs?: number }>(label, [host], true, () => {
    const fault = faults.ofPartner(label, process.scheduler.now);
    switch (fault) {
      case 'unreachable':
        throw new HttpFailure('not_sent', 'ECONNREFUSED');
      case 'failsBefore':
        return answer(500);
      case 'failsAfter':
        partners.take(request, true);
        return answer(503);
      case 'silentBefore':
        hangs = true;
        return answer(0);
      case 'silentAfter':
        partners.take(request);
        hangs = true;
        return answer(0);
      case 'busy':
        return answer(429, { 'retry-after': String(1 + faults.below(label, 120)) });
      case 'refused':
        partners.refuse(request);
        return answer(422);
      case undefined:
        return partners.take(request);
    }
  });
  if (outcome.afterMs) await process.sleep(outcome.afterMs);
  if (!hangs) return outcome;
  await process.sleep(request.timeout);
  throw new HttpFailure('no_answer', 'TIMEOUT');
}

const MAIL_LATE_MS = [1_000, 9 * 60_000] as const;

type MailEnd = Pick<MailReport, 'outcome' | 'error'> & Partial<MailReport>;
const UNCONFIRMED: MailEnd = { outcome: 'unknown', error: 'not confirmed', unconfirmed: true };
const NO_REPORT = { status_code: null, request: null, answer: null };
/** The end of a conversation, and whether the server keeps the e-mail. */
const MAIL_ENDS: Readonly<Record<MailFault, readonly [MailEnd, isKept: boolean]>> = {
  mailUnreachable: [{ outcome: 'transient', error: 'unreachable' }, false],
  mailLoginRefused: [{ outcome: 'permanent', error: 'login refused', misconfigured: true }, false],
  mailBusy: [{ outcome: 'transient', error: 'busy' }, false],
  mailRefused: [{ outcome: 'permanent', error: 'recipient refused' }, false],
  mailCutOff: [UNCONFIRMED, true],
  mailLost: [UNCONFIRMED, false],
  mailUnconfirmed: [UNCONFIRMED, true],
  mailLate: [{ outcome: 'delivered', error: null }, true],
};

/** A conversation with a mail server, whose end is simulated; `channels/smtp.ts` derives the report from it. */
async function sendMail(
  process: Process,
  { faults, partners }: World,
  message: { readonly messageId: string; readonly text: string },
  timeouts: { readonly confirmation: number },
): Promise<MailReport> {
  let waits = 0;
  const outcome = await process.call('mail', ['mail'], true, (): MailReport => {
    const fault = faults.ofMail('mail', process.scheduler.now);
    const lateMs = fault === 'mailLate' ? faults.milliseconds('mail', ...MAIL_LATE_MS) : 0;
    const isUnconfirmed = fault === 'mailUnconfirmed' || lateMs >= timeouts.confirmation;
    waits = isUnconfirmed ? timeouts.confirmation : lateMs;
    const [end, isKept] = isUnconfirmed ? MAIL_ENDS.mailUnconfirmed : MAIL_ENDS[fault ?? 'mailLate'];
    const external_id = isKept ? partners.keep(message) : null;
    return { ...NO_REPORT, ...end, external_id: end.outcome === 'delivered' ? external_id : null };
  });
  if (waits > 0) await process.sleep(waits);
  return outcome;
}

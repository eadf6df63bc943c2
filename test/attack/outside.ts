/** The mail server and the partners. They outlive the product's process and count what reaches them. */
import { EventEmitter, once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { answerOf, PARTNER_ADDRESSES, type Partner } from '#local/partner-answers';
import type { Channel } from '#shared/channels/channels';
import { startMailServer } from '#test/harness/mail-server';
import type { Random } from '#test/harness/random';
import { type StubCall, startStub } from '#test/harness/stub-server';

/** Arrival times (milliseconds since 1970), by identity. */
export interface Arrivals {
  /** E-mails by the part of their Message-ID before the `@`. */
  readonly mails: ReadonlyMap<string, readonly number[]>;
  /** Calls by `{channel} {lead's e-mail address}`, without refused ones. */
  readonly calls: ReadonlyMap<string, readonly number[]>;
  /** Pushes by title; undefined if nobody is subscribed. */
  readonly pushes: ReadonlyMap<string, readonly number[]> | undefined;
}

/** The mail server or a partner, each with its own leases. */
export type Host = Channel;

export interface Outside extends Arrivals {
  /** When each host last received a call for a delivery (milliseconds since 1970). */
  readonly calledAt: ReadonlyMap<Host, number>;
  /**
   * The mail server stops confirming.
   * @returns how many e-mails wait, at this number or when the time is over
   */
  holdMails(count: number, maxWaitMs: number): Promise<number>;
  /** Confirms the waiting e-mails and all later ones. */
  releaseMails(): void;
  readonly pushes: ReadonlyMap<string, readonly number[]>;
  readonly smtpPort: number;
  /** Host and port, as a TrackBox domain. */
  readonly partnersHost: string;
  /** Environment that directs the product to these servers. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Servers answer with a delay, so that a kill can fall between arrival and answer. */
const MAX_ANSWER_MS = 250;
/** The ID of a lead and of a template; other e-mails have other IDs and need no lease. */
const IS_OF_A_LEAD = /^[0-9A-Z]{26}\./;
const HOLD_CHECK_EVERY_MS = 20;
/** Pushes go out one at a time. */
const MAX_PUSH_ANSWER_MS = 30;

const PARTNERS = [
  'trackbox',
  'heroleads',
  'sellanylead',
  'http',
  'pushover',
] as const satisfies readonly Partner[];

/** The preset partner refuses one in three leads, at every attempt. */
export const isUnwanted = (email: string): boolean =>
  Number(/\d+/.exec(email)?.[0] ?? 1) % UNWANTED_EVERY === 0;
const UNWANTED_EVERY = 3;

/** @param random decides how long each answer takes */
export async function startOutside(random: Random): Promise<Outside> {
  const mails = new Map<string, number[]>();
  const calls = new Map<string, number[]>();
  const pushes = new Map<string, number[]>();
  const add = (to: Map<string, number[]>, what: string) =>
    to.set(what, [...(to.get(what) ?? []), Date.now()]);

  const calledAt = new Map<Host, number>();
  const held = new EventEmitter();
  let holds = false;
  let waiting = 0;

  const server = await startMailServer();
  server.message = async ({ raw }) => {
    const id = /^message-id:\s*<([^@>]*)/im.exec(raw)?.[1] ?? 'an e-mail without Message-ID';
    add(mails, id);
    if (IS_OF_A_LEAD.test(id)) calledAt.set('email', Date.now());
    server.mails.length = 0;
    waiting += 1;
    if (holds) await once(held, 'released');
    else await wait(random.next() * MAX_ANSWER_MS);
    waiting -= 1;
    return undefined;
  };

  const stub = await startStub();
  stub.answer = async (call) => {
    stub.calls.length = 0;
    const partner = PARTNERS.find((name) => call.url.startsWith(PARTNER_ADDRESSES[name].path));
    if (partner === undefined) return { status: 404 };
    const fields = fieldsOf(call);
    const email = String(fields.email ?? fields.mail);
    const isRefused = partner === 'http' && isUnwanted(email);
    if (partner === 'pushover') add(pushes, String(fields.title));
    else {
      calledAt.set(partner, Date.now());
      if (!isRefused) add(calls, `${partner} ${email}`);
    }
    await wait(random.next() * (partner === 'pushover' ? MAX_PUSH_ANSWER_MS : MAX_ANSWER_MS));
    const { status, headers, body } = answerOf(partner, isRefused ? 'reject' : 'ok', {
      method: call.method,
      path: call.url,
      headers: Object.fromEntries(Object.entries(call.headers).map(([name, value]) => [name, String(value)])),
      body: call.body,
      fields,
      now: new Date(),
    });
    return { status, body, ...(headers && { headers: { ...headers } }) };
  };

  return {
    mails,
    calls,
    pushes,
    calledAt,
    async holdMails(count, maxWaitMs) {
      holds = true;
      const latest = Date.now() + maxWaitMs;
      const goesOn = () => waiting < count && Date.now() < latest;
      while (goesOn()) await wait(HOLD_CHECK_EVERY_MS);
      return waiting;
    },
    releaseMails() {
      holds = false;
      held.emit('released');
    },
    smtpPort: server.port,
    partnersHost: stub.host,
    environment: Object.fromEntries(
      PARTNERS.flatMap((name) =>
        Object.entries(PARTNER_ADDRESSES[name].environment(stub.url + PARTNER_ADDRESSES[name].path)),
      ),
    ),
    async stop() {
      await Promise.all([server.stop(), stub.stop()]);
    },
  };
}

function fieldsOf({ body, headers }: StubCall): Record<string, unknown> {
  if (String(headers['content-type']).includes('form')) return Object.fromEntries(new URLSearchParams(body));
  return JSON.parse(body) as Record<string, unknown>;
}

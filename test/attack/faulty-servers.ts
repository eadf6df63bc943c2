/**
 * Mail servers and partners that misbehave at one step of the conversation, below the level of any library: they write
 * to the connection what no server would. Once told to recover they work as they should.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** How the first attempt may be recorded. */
export type Outcome = 'delivered' | 'transient' | 'unknown' | 'permanent';

export interface Fault {
  readonly name: string;
  /** Any of these is a true word about what happened. */
  readonly outcomes: readonly Outcome[];
  /** It takes a time-out to find out. */
  readonly slow?: true;
}

export interface FaultyServer {
  readonly port: number;
  /** From now on it works. */
  recover(): void;
  /** How often it took what it was sent. */
  readonly taken: () => number;
  stop(): Promise<void>;
}

type MailStep = 'connect' | 'greeting' | 'EHLO' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'message';
interface MailFault extends Fault {
  readonly step: MailStep;
  /** Written in place of the usual answer. */
  readonly says?: string;
  /** Afterwards the connection is cut. */
  readonly cuts?: true;
  /** Nothing is said any more. */
  readonly hangs?: true;
  /** Before the usual answer. */
  readonly afterMs?: number;
  /** One character at a time. */
  readonly drips?: true;
  /** The same line again and again, until the connection is given up. */
  readonly floods?: true;
}

const BEFORE_MESSAGE = ['greeting', 'EHLO', 'AUTH', 'MAIL', 'RCPT', 'DATA'] as const;

export const MAIL_FAULTS: readonly MailFault[] = [
  { name: 'nothing listens', step: 'connect', outcomes: ['transient'] },
  ...BEFORE_MESSAGE.map(
    (step): MailFault => ({ name: `cut at ${step}`, step, cuts: true, outcomes: ['transient'] }),
  ),
  { name: 'cut after the message', step: 'message', cuts: true, outcomes: ['unknown'] },
  ...BEFORE_MESSAGE.map(
    (step): MailFault => ({
      name: `hang at ${step}`,
      step,
      hangs: true,
      slow: true,
      outcomes: ['transient'],
    }),
  ),
  { name: 'hang after the message', step: 'message', hangs: true, slow: true, outcomes: ['unknown'] },
  { name: 'confirmed after three seconds', step: 'message', afterMs: 3000, outcomes: ['delivered'] },
  { name: 'greeting after three seconds', step: 'greeting', afterMs: 3000, outcomes: ['delivered'] },
  { name: 'answer drop by drop', step: 'EHLO', drips: true, outcomes: ['delivered'] },
  { name: '554 for a greeting', step: 'greeting', says: '554 no', outcomes: ['permanent'] },
  { name: '421 for a greeting', step: 'greeting', says: '421 later', cuts: true, outcomes: ['transient'] },
  { name: '535 for the login', step: 'AUTH', says: '535 no', outcomes: ['permanent'] },
  { name: '454 for the login', step: 'AUTH', says: '454 later', outcomes: ['transient'] },
  { name: '550 for the sender', step: 'MAIL', says: '550 no', outcomes: ['permanent'] },
  { name: '452 for the sender', step: 'MAIL', says: '452 full', outcomes: ['transient'] },
  { name: '550 for the recipient', step: 'RCPT', says: '550 nobody', outcomes: ['permanent'] },
  { name: '450 for the recipient', step: 'RCPT', says: '450 later', outcomes: ['transient'] },
  { name: '451 for DATA', step: 'DATA', says: '451 later', outcomes: ['transient'] },
  { name: '554 for the message', step: 'message', says: '554 spam', outcomes: ['permanent'] },
  { name: '452 for the message', step: 'message', says: '452 full', outcomes: ['transient'] },
  {
    name: 'HTTP for a greeting',
    step: 'greeting',
    says: 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n',
    outcomes: ['transient', 'permanent'],
  },
  {
    name: 'a line without end',
    step: 'EHLO',
    says: `250-${'x'.repeat(1_000_000)}`,
    hangs: true,
    slow: true,
    outcomes: ['transient', 'permanent'],
  },
  {
    name: 'a greeting without end',
    step: 'greeting',
    says: '220-welcome',
    floods: true,
    slow: true,
    outcomes: ['transient', 'permanent'],
  },
];

const DRIP_MS = 20;

export async function startFaultyMailServer(fault: MailFault): Promise<FaultyServer> {
  let broken = true;
  let taken = 0;
  const usual: Readonly<Record<Exclude<MailStep, 'connect'>, string>> = {
    greeting: '220 hi',
    EHLO: '250-hi\r\n250 AUTH PLAIN',
    AUTH: '235 ok',
    MAIL: '250 ok',
    RCPT: '250 ok',
    DATA: '354 go',
    message: '250 queued',
  };
  const converse = (socket: Socket) => {
    /** @returns false when the conversation is over */
    const reach = async (step: keyof typeof usual): Promise<boolean> => {
      const faulty = broken && fault.step === step;
      if (step === 'message' && (!faulty || fault.says === undefined)) taken += 1;
      const answer = `${(faulty && fault.says) || usual[step]}\r\n`;
      if (!faulty) socket.write(answer);
      else if (fault.floods) await flood(socket, answer);
      else {
        if (fault.afterMs !== undefined) await wait(fault.afterMs);
        if (fault.drips) await drip(socket, answer);
        else if (fault.says !== undefined || !(fault.cuts || fault.hangs)) socket.write(answer);
        if (fault.cuts) socket.destroy();
      }
      return !(faulty && (fault.hangs || fault.cuts));
    };
    let rest = '';
    let message = false;
    let queue = reach('greeting');
    socket.on('data', (chunk) => {
      const lines = (rest + String(chunk)).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (message && line !== '.') continue;
        const word = line.split(' ')[0] ?? '';
        const step = message
          ? 'message'
          : Object.hasOwn(usual, word)
            ? (word as keyof typeof usual)
            : undefined;
        message = !message && word === 'DATA';
        queue = queue.then(async (goesOn) => {
          if (!goesOn) return false;
          if (step !== undefined) return reach(step);
          socket.end('221 bye\r\n');
          return false;
        });
      }
    });
  };
  return listen(
    (socket) => (fault.step === 'connect' && broken ? socket.destroy() : converse(socket)),
    () => {
      broken = false;
    },
    () => taken,
  );
}

interface HttpFault extends Fault {
  /** Everything that is written; undefined: nothing. */
  readonly says?: string | Buffer;
  readonly cuts?: true;
  readonly drips?: true;
  readonly floods?: true;
  /** Whether the partner took the lead all the same. */
  readonly takes?: true;
}

const answer = (status: string, body = '', headers: readonly string[] = []) =>
  [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...headers,
    '',
    body,
  ].join('\r\n');
const OK = answer(
  '200 OK',
  JSON.stringify({ status: true, data: 'taken', addonData: { data: { id: 'P1' } } }),
);
/** A megabyte of it is a gigabyte when it is unpacked. */
const bomb = (): Buffer => {
  const packed = gzipSync(Buffer.alloc(200 * 1024 * 1024));
  return Buffer.concat([
    Buffer.from(
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\nConnection: close\r\n\r\n`,
    ),
    packed,
  ]);
};

const AGAIN = ['transient', 'unknown'] as const;
const NO_SUCCESS = ['transient', 'unknown', 'permanent'] as const;

/** @param canary an address of ours that no redirect may lead to */
export const httpFaults = (canary: string): readonly HttpFault[] => [
  { name: 'cut before an answer', cuts: true, outcomes: ['unknown'] },
  { name: 'cut in the answer', says: OK.slice(0, -10), cuts: true, takes: true, outcomes: ['unknown'] },
  { name: 'no answer', slow: true, takes: true, outcomes: ['unknown'] },
  { name: 'answer drop by drop', says: OK, drips: true, takes: true, outcomes: ['delivered'] },
  { name: '500', says: answer('500 Oops', '{}'), outcomes: AGAIN },
  { name: '503, Retry-After 120', says: answer('503 Wait', '', ['Retry-After: 120']), outcomes: AGAIN },
  {
    name: '429, Retry-After a date',
    says: answer('429 Slow', '', [`Retry-After: ${new Date(Date.now() + 120_000).toUTCString()}`]),
    outcomes: AGAIN,
  },
  ...['-5', '1e99', 'soon', '9'.repeat(400), 'Thu, 99 Foo 2026'].map(
    (value): HttpFault => ({
      name: `429, Retry-After ${value.slice(0, 20)}`,
      says: answer('429 Slow', '', [`Retry-After: ${value}`]),
      outcomes: AGAIN,
    }),
  ),
  { name: '401', says: answer('401 No', '{}'), outcomes: NO_SUCCESS },
  { name: '404', says: answer('404 Gone', ''), outcomes: NO_SUCCESS },
  ...['301 Moved', '302 Found', '307 Again', '308 There'].map(
    (status): HttpFault => ({
      name: `${status.slice(0, 3)} to another host`,
      says: answer(status, '', [`Location: ${canary}`]),
      outcomes: NO_SUCCESS,
    }),
  ),
  { name: 'HTML with 200', says: answer('200 OK', '<h1>Maintenance</h1>'), outcomes: NO_SUCCESS },
  { name: 'no body with 200', says: answer('200 OK'), outcomes: NO_SUCCESS },
  { name: 'broken JSON', says: answer('200 OK', '{"status": tr'), outcomes: NO_SUCCESS },
  { name: 'JSON 100,000 deep', says: answer('200 OK', '['.repeat(100_000)), outcomes: NO_SUCCESS },
  {
    name: '__proto__ in the answer',
    says: answer('200 OK', '{"__proto__":{"status":true}}'),
    outcomes: NO_SUCCESS,
  },
  { name: 'control characters', says: answer('200 OK', '\u0000\u001b[2J\u2028'), outcomes: NO_SUCCESS },
  { name: 'no HTTP', says: 'SSH-2.0-OpenSSH_9.2\r\n', cuts: true, outcomes: NO_SUCCESS },
  {
    name: 'headers of a megabyte',
    says: `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(1_000_000)}\r\n\r\n`,
    outcomes: NO_SUCCESS,
  },
  {
    name: 'a hundred interim answers',
    says: 'HTTP/1.1 102 Wait\r\n\r\n'.repeat(100) + OK,
    takes: true,
    outcomes: ['delivered', ...NO_SUCCESS],
  },
  { name: 'a gzip bomb', says: bomb(), outcomes: NO_SUCCESS },
  {
    name: 'a body without end',
    says: `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n${'x'.repeat(64 * 1024)}`,
    floods: true,
    outcomes: NO_SUCCESS,
  },
];

export async function startFaultyPartner(fault: HttpFault): Promise<FaultyServer> {
  let broken = true;
  let taken = 0;
  const converse = (socket: Socket) => {
    let request = '';
    let answered = false;
    socket.on('data', (chunk) => {
      request += String(chunk);
      const [checkpoint = '', body] = request.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(checkpoint)?.[1] ?? Number.NaN);
      if (answered || body === undefined || Buffer.byteLength(body) < length) return;
      answered = true;
      if (!broken || fault.takes) taken += 1;
      if (broken) void misbehave(socket, fault);
      else socket.end(OK);
    });
  };
  return listen(
    converse,
    () => {
      broken = false;
    },
    () => taken,
  );
}

async function misbehave(socket: Socket, { says, cuts, drips, floods }: HttpFault): Promise<void> {
  if (says !== undefined) {
    if (floods) await flood(socket, says);
    else if (drips) await drip(socket, String(says));
    else await new Promise((resolve) => socket.write(says, resolve));
  }
  if (cuts) socket.destroy();
}

async function drip(socket: Socket, text: string): Promise<void> {
  for (const character of text) {
    if (socket.destroyed) return;
    socket.write(character);
    await wait(DRIP_MS / 4);
  }
}

async function flood(socket: Socket, piece: string | Buffer): Promise<void> {
  while (!socket.destroyed) {
    if (!socket.write(piece))
      await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined);
    await wait(1);
  }
}

async function listen(
  converse: (socket: Socket) => void,
  recover: () => void,
  taken: () => number,
): Promise<FaultyServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    converse(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    recover,
    taken,
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await Promise.resolve();
    },
  };
}

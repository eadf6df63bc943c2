/** HTTP to the world outside: guarded addresses, no redirects, a deadline, a bound on what is read. */
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { AddressRefused, type Guard } from '#functions/net/guard';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds for the whole call, from the lookup to the last byte. */
  readonly timeout: number;
  readonly signal?: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case; the last of several values. */
  readonly headers: Readonly<Record<string, string>>;
  /** Read as UTF-8, cut off at `MAX_ANSWER_BYTES`. */
  readonly body: string;
}

/** A call without an answer. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  /**
   * - `refused`: the host resolves to an address inside; never sent
   * - `not_sent`: no connection; the other side never saw the request
   * - `no_answer`: it was sent, or may have been; what became of it is unknown
   */
  readonly kind: 'refused' | 'not_sent' | 'no_answer';
  /** The system's error code, or `TIMEOUT`. */
  readonly code: string;
  constructor(kind: HttpFailure['kind'], code: string) {
    super(`${kind} (${code})`);
    this.kind = kind;
    this.code = code;
  }
}

/**
 * A redirect is an answer like any other.
 * @throws HttpFailure when no answer came; TypeError for an address or a header that no request can have
 */
export type Http = (request: HttpRequest) => Promise<HttpAnswer>;

const MAX_ANSWER_BYTES = 256 * 1024;

/**
 * @param options.connections connections to one host at the same time; further calls wait. Each call has its own: an
 * idle one would be dead after a Lambda was frozen, and a call on it would look as if it might have arrived.
 */
export function createHttp(guard: Guard, options: { readonly connections: number }): Http {
  const agents = {
    http: new HttpAgent({ keepAlive: false, maxSockets: options.connections }),
    https: new HttpsAgent({ keepAlive: false, maxSockets: options.connections }),
  };

  return async ({ method, url, headers, body, timeout, signal }) => {
    const target = new URL(url);
    const secure = target.protocol === 'https:';
    const deadline = AbortSignal.timeout(timeout);
    const progress = { sent: false };
    const failure = (error: unknown): HttpFailure =>
      error instanceof AddressRefused
        ? new HttpFailure('refused', error.code)
        : new HttpFailure(
            progress.sent ? 'no_answer' : 'not_sent',
            deadline.aborted ? 'TIMEOUT' : codeOf(error),
          );
    try {
      guard.check(target.hostname);
    } catch (error) {
      throw failure(error);
    }
    const settings = {
      method,
      headers: { ...headers },
      lookup: guard.lookup,
      signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
    };
    const outgoing = secure
      ? requestHttps(target, { ...settings, agent: agents.https })
      : requestHttp(target, { ...settings, agent: agents.http });
    // From the moment the connection stands, the other side may have seen the request.
    const stands = () => {
      progress.sent = true;
    };
    outgoing.once('socket', (socket) => {
      // A call that waited for its turn is told of its connection when that stands already.
      // One that failed before has no other side.
      if (socket.connecting) socket.once(secure ? 'secureConnect' : 'connect', stands);
      else if (socket.remoteAddress !== undefined) stands();
    });
    try {
      const answer = await answerTo(outgoing, body);
      return {
        status: answer.statusCode ?? 0,
        headers: flatten(answer.headers),
        body: await readText(answer),
      };
    } catch (error) {
      throw failure(error);
    }
  };
}

function answerTo(outgoing: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve);
    // Stays: a connection may break after the answer began, too, and reading that fails by itself.
    outgoing.on('error', reject);
    // Without an answer or an error: the other side changed to another protocol, which ends the connection.
    outgoing.once('close', () => reject(new Error('Closed without an answer')));
    outgoing.end(body);
  });
}

async function readText(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes.subarray(0, MAX_ANSWER_BYTES - size));
    size += bytes.length;
    // Leaving the loop destroys the stream and with it the connection, so an endless answer ends here.
    if (size >= MAX_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function flatten(headers: IncomingHttpHeaders): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined) result[name] = last;
  }
  return result;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** An HTTP client for calls to other companies: checked addresses, no redirects, a deadline, a limit for the answer. */
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
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds for the whole call, from the lookup to the last byte. */
  readonly timeout: number;
  /** A deadline of the caller. */
  readonly signal?: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  /** By name in lower case; of several values the last one. */
  readonly headers: Readonly<Record<string, string>>;
  /** Read as UTF-8, cut off at `MAX_ANSWER_BYTES`. */
  readonly body: string;
}

export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  /** Only with `no_answer` may the server have received the request. */
  readonly kind: 'refused' | 'not_sent' | 'no_answer';
  /** The operating system's error code, or `TIMEOUT`. */
  readonly code: string;
  constructor(kind: HttpFailure['kind'], code: string) {
    super(`${kind} (${code})`);
    this.kind = kind;
    this.code = code;
  }
}

/** Does not follow redirects. @throws HttpFailure without an answer; TypeError for an invalid URL or header */
export type Http = (request: HttpRequest) => Promise<HttpAnswer>;

const MAX_ANSWER_BYTES = 256 * 1024;

/** No keep-alive: an idle connection would be closed while a Lambda is frozen, and a call over it would fail. */
export function createHttp(
  guard: Guard,
  options: { readonly connections: number; readonly timeout?: (milliseconds: number) => AbortSignal },
): Http {
  const agents = {
    http: new HttpAgent({ keepAlive: false, maxSockets: options.connections }),
    https: new HttpsAgent({ keepAlive: false, maxSockets: options.connections }),
  };

  const { timeout: abortAfter = (milliseconds: number) => AbortSignal.timeout(milliseconds) } = options;

  return async ({ method, url, headers, body, timeout, signal }) => {
    const target = new URL(url);
    const secure = target.protocol === 'https:';
    const deadline = abortAfter(timeout);
    const progress = { sent: false };
    const failure = (error: unknown): HttpFailure =>
      error instanceof AddressRefused
        ? new HttpFailure('refused', error.code)
        : new HttpFailure(
            progress.sent ? 'no_answer' : 'not_sent',
            deadline.aborted || signal?.aborted === true ? 'TIMEOUT' : codeOf(error),
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
    // From here on the server may have received the request.
    const connected = () => {
      progress.sent = true;
    };
    outgoing.once('socket', (socket) => {
      // After waiting for a free connection, the socket may already be connected. One that failed before has no remote
      // address.
      if (socket.connecting) socket.once(secure ? 'secureConnect' : 'connect', connected);
      else if (socket.remoteAddress !== undefined) connected();
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
    // Not removed after the answer has begun: the connection may still fail then, and an `error` without a listener
    // would end the process.
    outgoing.on('error', reject);
    // The server switched to another protocol, which ends the connection.
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
    // Leaving the loop destroys the connection, so an endless answer ends here.
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

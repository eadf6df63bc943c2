/** HTTP to the world outside: guarded addresses, no redirects, a deadline, a bound on what is read. */
import { Agent, buildConnector, DecoratorHandler, type Dispatcher, request } from 'undici';
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
  /** The system's or undici's error code, or `TIMEOUT`. */
  readonly code: string;
  constructor(kind: HttpFailure['kind'], code: string) {
    super(`${kind} (${code})`);
    this.kind = kind;
    this.code = code;
  }
}

/** @throws HttpFailure when no answer came; a redirect is an answer like any other */
export type Http = (request: HttpRequest) => Promise<HttpAnswer>;

const MAX_ANSWER_BYTES = 256 * 1024;
const CONNECT_TIMEOUT = 10_000;

/** @param options.connections connections to one host at the same time; further calls wait */
export function createHttp(guard: Guard, options: { readonly connections: number }): Http {
  const agent = new Agent({
    connections: options.connections,
    pipelining: 1,
    connect: guardedConnector(guard),
  });

  return async ({ method, url, headers, body, timeout, signal }) => {
    let sent = false;
    const watched = agent.compose(
      (dispatch) => (call, handler) =>
        dispatch(
          call,
          new SendWatch(handler, () => {
            sent = true;
          }),
        ),
    );
    const deadline = AbortSignal.timeout(timeout);
    try {
      const answer = await request(url, {
        dispatcher: watched,
        method,
        headers: { ...headers },
        body: body ?? null,
        signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
      });
      return {
        status: answer.statusCode,
        headers: flatten(answer.headers),
        body: await readText(answer.body),
      };
    } catch (error) {
      if (error instanceof AddressRefused) throw new HttpFailure('refused', error.code);
      throw new HttpFailure(sent ? 'no_answer' : 'not_sent', deadline.aborted ? 'TIMEOUT' : codeOf(error));
    }
  };
}

/** Notices the moment a request is given to a connection, from which on the other side may have seen it. */
class SendWatch extends DecoratorHandler {
  readonly #inner: Dispatcher.DispatchHandlers;
  readonly #onSend: () => void;
  constructor(inner: Dispatcher.DispatchHandlers, onSend: () => void) {
    super(inner);
    this.#inner = inner;
    this.#onSend = onSend;
  }
  onConnect(abort: () => void): void {
    this.#onSend();
    this.#inner.onConnect?.(abort);
  }
}

function guardedConnector(guard: Guard): buildConnector.connector {
  const connect = buildConnector({ lookup: guard.lookup, timeout: CONNECT_TIMEOUT });
  return (options, callback) => {
    try {
      guard.check(options.hostname);
    } catch (error) {
      callback(error instanceof Error ? error : new AddressRefused(), null);
      return;
    }
    connect(options, callback);
  };
}

async function readText(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes.subarray(0, MAX_ANSWER_BYTES - size));
    size += bytes.length;
    // Leaving the loop destroys the stream and with it the connection, so an endless answer ends here.
    if (size >= MAX_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function flatten(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined) result[name.toLowerCase()] = last;
  }
  return result;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

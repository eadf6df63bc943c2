/** Calls the API by the contract, with cookies. For the command line, the example data and tests. */
import { type EndpointId, routes } from '#shared/contract/routes';
import type { Answer, Sent } from '#shared/contract/schemas';

export type Call<Id extends EndpointId> = {
  readonly [Part in 'params' | 'query' | 'body' as Sent<Id, Part> extends undefined ? never : Part]?: Sent<
    Id,
    Part
  >;
};

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly code: string | undefined;

  constructor(id: EndpointId, reply: Reply) {
    super(`${id}: ${reply.status} ${textOf(reply.body)}`);
    this.status = reply.status;
    const seconds = Number(reply.headers.get('retry-after') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
    this.code = codeOf(reply.body);
  }
}

function codeOf(body: unknown): string | undefined {
  return typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : undefined;
}

function textOf(body: unknown): string {
  if (typeof body === 'object' && body !== null && 'error' in body) return String(body.error);
  return body instanceof Uint8Array ? '' : JSON.stringify(body);
}

/** Longer than a function may run. */
const TIMEOUT_MS = 60_000;

export class ApiClient {
  readonly url: string;
  readonly #name: string | undefined;
  readonly #cookies = new Map<string, string>();

  /** @param name of the program, in the list of sessions */
  constructor(url: string, name?: string) {
    this.url = url;
    this.#name = name;
  }

  get cookies(): ReadonlyMap<string, string> {
    return this.#cookies;
  }

  async logIn(account: { readonly username: string; readonly password: string }): Promise<void> {
    const { message } = await this.ok('login', { body: account });
    if (message !== 'Logged in')
      throw new Error(`${account.username} has a passkey: its password alone does not log in`);
  }

  async ok<Id extends EndpointId>(
    id: Id,
    call: Call<Id> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer<Id>> {
    const response = await this.#fetch(...request(id, call), headers);
    if (!response.ok) throw new CallFailed(id, await toReply(response));
    // The server has checked the answer against the schema that this type is derived from.
    return JSON.parse(await response.text());
  }

  async call<Id extends EndpointId>(id: Id, call: Call<Id> = {}): Promise<Reply> {
    return toReply(await this.#fetch(...request(id, call)));
  }

  async raw(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    return toReply(await this.#fetch(method, path, body, headers));
  }

  async #fetch(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${this.url}${path}`, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(cookie !== '' && { cookie }),
        ...(this.#name !== undefined && { 'user-agent': this.#name }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    this.#keepCookies(response.headers.getSetCookie());
    return response;
  }

  #keepCookies(lines: readonly string[]): void {
    for (const line of lines) {
      const [pair = ''] = line.split(';');
      const name = pair.slice(0, pair.indexOf('='));
      const value = pair.slice(pair.indexOf('=') + 1);
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }
}

function request<Id extends EndpointId>(
  id: Id,
  call: Call<Id>,
): [method: string, path: string, body: unknown] {
  const { method, path } = routes[id];
  const parts: { params?: object; query?: object; body?: unknown } = call;
  const params = new Map<string, unknown>(Object.entries(parts.params ?? {}));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params.get(name))),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parts.query ?? {}))
    if (value !== undefined) search.set(name, String(value));
  return [method, search.size > 0 ? `${filled}?${search.toString()}` : filled, parts.body];
}

async function toReply(response: Response): Promise<Reply> {
  const json = response.headers.get('content-type')?.startsWith('application/json');
  const body: unknown = json ? await response.json() : new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, body };
}

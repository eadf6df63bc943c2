/** The whole product for a test, with a client that speaks the contract. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSessionStore } from '#functions/data/sessions';
import { ensureFirstAdmin } from '#functions/domain/admins';
import { type Cloud, type CloudOptions, startCloud } from '#local/cloud';
import { type EndpointId, routes } from '#shared/contract/routes';
import type { Answer, Sent } from '#shared/contract/schemas';

export const ADMIN = { username: 'admin', password: 'correct horse battery staple' } as const;

export interface TestCloud extends Cloud {
  /** Logged in as the admin. */
  readonly admin: Client;
  /** Not logged in. */
  readonly visitor: Client;
  /** Stops the product and deletes its data, unless they were in a folder of the test's own. */
  stop(): Promise<void>;
}

/** Sweeps only when asked; start it in `beforeAll`, stop it in `afterAll`. */
export async function startTestCloud(options: Partial<CloudOptions> = {}): Promise<TestCloud> {
  const dataDir = options.dataDir ?? join(tmpdir(), `lead-cloud-${randomUUID()}`);
  const cloud = await startCloud({ sweepEvery: 0, ...options, dataDir });
  const deps = { sessions: createSessionStore(cloud.table), runtime: cloud.runtime };
  await ensureFirstAdmin(deps, ADMIN.username, ADMIN.password);
  const admin = new Client(cloud.url);
  await admin.logIn();
  return {
    ...cloud,
    admin,
    visitor: new Client(cloud.url),
    async stop() {
      await cloud.stop();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** What a call may carry; undeclared parts are not accepted. */
export type Call<Id extends EndpointId> = {
  readonly [Name in 'params' | 'query' | 'body' as Sent<Id, Name> extends undefined ? never : Name]?: Sent<
    Id,
    Name
  >;
};

export interface Reply<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** Calls the API as a browser does: keeps cookies, sends JSON. */
export class Client {
  readonly url: string;
  readonly #cookies = new Map<string, string>();

  constructor(url: string) {
    this.url = url;
  }

  get cookies(): ReadonlyMap<string, string> {
    return this.#cookies;
  }

  async logIn(account: { username: string; password: string } = ADMIN): Promise<void> {
    await this.ok('login', { body: account });
  }

  /** @throws Error with the answer when the status is not 2xx */
  async ok<Id extends EndpointId>(id: Id, call: Call<Id> = {}): Promise<Answer<Id>> {
    const reply = await this.call(id, call);
    if (reply.status >= 300) throw new Error(`${id}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body as Answer<Id>;
  }

  /** Whatever the answer is; JSON is parsed, a file comes as bytes. */
  async call<Id extends EndpointId>(id: Id, call: Call<Id> = {}): Promise<Reply<unknown>> {
    const { method, path } = routes[id];
    const { params, query, body } = call as { params?: object; query?: object; body?: unknown };
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String((params as Record<string, unknown>)[name])),
    );
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query ?? {}))
      if (value !== undefined) search.set(name, String(value));
    return this.raw(method, `${filled}${search.size > 0 ? `?${search.toString()}` : ''}`, body);
  }

  /** Any request; `body` goes as JSON unless it is a string already. */
  async raw(method: string, path: string, body?: unknown, headers = {}): Promise<Reply<unknown>> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(this.#cookies.size > 0 && {
          cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const name = pair.slice(0, pair.indexOf('='));
      const value = pair.slice(pair.indexOf('=') + 1);
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    const json = response.headers.get('content-type')?.startsWith('application/json');
    const content: unknown = json ? await response.json() : new Uint8Array(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, body: content };
  }
}

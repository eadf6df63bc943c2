/** The whole product for a test, with a client for the API contract. */

import { randomBytes, scryptSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as sessionStore from '#functions/data/administration/session-store';
import { ApiClient, type Call, CallFailed } from '#local/api-client';
import { type Cloud, type CloudOptions, startCloud } from '#local/cloud';
import { PRIVATE_FILE } from '#local/private-files';
import type { EndpointId } from '#shared/contract/routes';
import type { Answer } from '#shared/contract/schemas';
import { aBuyerRequest, type BuyerRequest } from '#test/factories/buyers';
import { aTemplateRequest, type TemplateRequest } from '#test/factories/templates';
import { QUICK_SCRYPT, startMemoryCloud } from '#test/harness/memory-cloud';
import { IN_MEMORY } from '#test/harness/memory-table';
import { ON_EMULATOR, startOtherEngine, startTestQueues } from '#test/harness/other-engine';
import { rewindables } from '#test/harness/rewind';

export const ADMIN = { username: 'admin', password: 'correct horse battery staple' } as const;

/** The stored password hash of `ADMIN`, but with low cost. */
export const PASSWORD_HASH = (() => {
  const { N, r, p } = QUICK_SCRYPT;
  const salt = randomBytes(16);
  const hash = scryptSync(ADMIN.password, salt, 32, { N, r, p });
  return ['scrypt', N, r, p, salt.toString('base64'), hash.toString('base64')].join('$');
})();

/** Created by the first cloud and reused in this process, because an RSA key takes a quarter of a start. */
let keys: Buffer | undefined;

export interface TestCloud extends Cloud {
  /** Logged in as the admin. */
  readonly admin: Client;
  /** Not logged in. */
  readonly visitor: Client;
  /** Stops the product and deletes its data, unless the test passed the folder. */
  stop(): Promise<void>;
}

/** Reconciles only on request. Start it in `beforeAll`, stop it in `afterAll`. */
export async function startTestCloud(
  options: Partial<CloudOptions> = {},
  { inMemory = IN_MEMORY }: { readonly inMemory?: boolean } = {},
): Promise<TestCloud> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'lead-cloud-')));
  const keysFile = join(dataDir, 'keys.json');
  if (keys !== undefined && options.dataDir === undefined) await writeFile(keysFile, keys, PRIVATE_FILE);
  const start = inMemory ? startMemoryCloud : startCloud;
  const engine = await startOtherEngine(options.dataDir && join(dataDir, 'dynamodb-local'));
  const queues = ON_EMULATOR ? await startTestQueues() : undefined;
  const cloud = await start({
    reconcileEverySeconds: 0,
    ...(engine && { dynamodbEndpoint: engine.endpoint }),
    ...(queues && { queues }),
    ...options,
    ...(queues && { runtime: { externalServices: { queues: queues.client } as never, ...options.runtime } }),
    dataDir,
    async beforeOpen({ table, runtime }) {
      const created_at = runtime.now().toISOString();
      if ((await sessionStore.admins({ table })).length === 0)
        await sessionStore.addAdmin(
          { table },
          { username: ADMIN.username, password_hash: PASSWORD_HASH, created_at },
        );
    },
  }).catch(async (error: unknown) => {
    await engine?.stop();
    throw error;
  });
  keys ??= inMemory ? undefined : await readFile(keysFile);
  const admin = new Client(cloud.url);
  await admin.logIn();
  // If a file's first test starts the cloud, repetitions of that test start here, logged in.
  for (const one of rewindables) one.keep();
  return {
    ...cloud,
    admin,
    visitor: new Client(cloud.url),
    async stop() {
      await cloud.stop();
      await engine?.stop();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** An admin with `ADMIN`'s password, like one added on the command line, but faster. */
export async function addAdmin({ table, runtime }: Pick<Cloud, 'table' | 'runtime'>, username: string) {
  await sessionStore.addAdmin(
    { table },
    {
      username,
      password_hash: PASSWORD_HASH,
      created_at: runtime.now().toISOString(),
      epoch: runtime.newId(),
    },
  );
}

/** The token: the part of a buyer's link after the last slash. */
export const tokenOf = (link: string | null | undefined): string => link?.split('/').at(-1) ?? '';

/**
 * An e-mail template whose e-mails go to the product's own inbox.
 * @returns its ID
 */
export async function addTemplate(
  { admin, inbox }: Pick<TestCloud, 'admin' | 'inbox'>,
  changes: Partial<TemplateRequest> = {},
): Promise<string> {
  const body = aTemplateRequest({ smtp_port: inbox.port, ...changes });
  return (await admin.ok('createEmailTemplate', { body })).template.id;
}

/** A buyer with an open order, created by an admin. */
export async function openOrder(admin: ApiClient, buyer: Partial<BuyerRequest> = {}, lead_limit = 10) {
  const body = aBuyerRequest(buyer);
  await admin.ok('createBuyer', { body });
  const { order, excel_link } = await admin.ok('createOrder', {
    body: { buyer_id: body.buyer_id, lead_limit },
  });
  return { buyer_id: body.buyer_id, orderId: order.order_id, excel_link, token: tokenOf(excel_link) };
}

/** The API client, with the admin's account. */
export class Client extends ApiClient {
  #account: { readonly username: string; readonly password: string } | undefined;

  override logIn(account: { readonly username: string; readonly password: string } = ADMIN): Promise<void> {
    this.#account = account;
    return super.logIn(account);
  }

  /** Logs in again if the session expired, because a mutation run may skip the test that does so. */
  override async ok<Id extends EndpointId>(
    id: Id,
    call: Call<Id> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer<Id>> {
    const account = IN_MEMORY && id !== 'login' && id !== 'logout' ? this.#account : undefined;
    try {
      return await super.ok(id, call, headers);
    } catch (error) {
      if (account === undefined || !(error instanceof CallFailed) || error.status !== 401) throw error;
      await super.logIn(account);
      return super.ok(id, call, headers);
    }
  }
}

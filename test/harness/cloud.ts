/** The whole product for a test, with a client that speaks the contract. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSessionStore } from '#functions/data/administration/session-store';
import { ensureFirstAdmin } from '#functions/domain/administration/admins';
import { ApiClient } from '#local/api-client';
import { type Cloud, type CloudOptions, startCloud } from '#local/cloud';
import { aBuyerRequest, type BuyerRequest } from '#test/factories/buyers';
import { aTemplateRequest, type TemplateRequest } from '#test/factories/templates';
import { ON_DYNAMODB_LOCAL, startDynamoDbLocal } from '#test/harness/dynamodb-local';
import { startMemoryCloud } from '#test/harness/memory-cloud';
import { IN_MEMORY } from '#test/harness/memory-table';

export const ADMIN = { username: 'admin', password: 'correct horse battery staple' } as const;

export interface TestCloud extends Cloud {
  /** Logged in as the admin. */
  readonly admin: Client;
  /** Not logged in. */
  readonly visitor: Client;
  /** Stops the product and deletes its data, unless they were in a folder of the test's own. */
  stop(): Promise<void>;
}

/** Reconciliations only when asked; start it in `beforeAll`, stop it in `afterAll`. */
export async function startTestCloud(options: Partial<CloudOptions> = {}): Promise<TestCloud> {
  const dataDir = options.dataDir ?? join(tmpdir(), `lead-cloud-${randomUUID()}`);
  const start = IN_MEMORY ? startMemoryCloud : startCloud;
  const engine = ON_DYNAMODB_LOCAL ? await startDynamoDbLocal(join(dataDir, 'dynamodb-local')) : undefined;
  const cloud = await start({
    reconcileEverySeconds: 0,
    ...(engine && { dynamodbEndpoint: engine.endpoint }),
    ...options,
    dataDir,
    async beforeOpen({ table, runtime }) {
      const deps = { sessions: createSessionStore(table), runtime };
      await ensureFirstAdmin(deps, ADMIN.username, ADMIN.password);
    },
  });
  const admin = new Client(cloud.url);
  await admin.logIn();
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

/** The token: what follows the last slash of a buyer's link. */
export const tokenOf = (link: string | null | undefined): string => link?.split('/').at(-1) ?? '';

/** An e-mail template whose mails go to the product's own inbox. @returns its id */
export async function addTemplate(
  { admin, inbox }: Pick<TestCloud, 'admin' | 'inbox'>,
  changes: Partial<TemplateRequest> = {},
): Promise<string> {
  const body = aTemplateRequest({ smtp_port: inbox.port, ...changes });
  return (await admin.ok('createEmailTemplate', { body })).template.id;
}

/** A buyer with an open order, as an admin makes them. */
export async function openOrder(admin: Client, buyer: Partial<BuyerRequest> = {}, lead_limit = 10) {
  const body = aBuyerRequest(buyer);
  await admin.ok('createBuyer', { body });
  const { order, excel_link } = await admin.ok('createOrder', {
    body: { buyer_id: body.buyer_id, lead_limit },
  });
  return { buyer_id: body.buyer_id, orderId: order.order_id, excel_link, token: tokenOf(excel_link) };
}

/** The API client, with the admin's account at hand. */
export class Client extends ApiClient {
  override logIn(account: { readonly username: string; readonly password: string } = ADMIN): Promise<void> {
    return super.logIn(account);
  }
}

/** Shared by the measurements: a table with buyers, the handler as called by API Gateway, and workers in a closed loop. */
import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { environment } from '#functions/api/leads/environment';
import { create } from '#functions/api/leads/index';
import type { Meter, Table } from '#functions/data/table/table';
import { checkPassword, ensureFirstAdmin, openSession } from '#functions/domain/administration/admins';
import { signSession } from '#functions/http/session-cookie';
import { systemRuntime } from '#functions/platform/runtime';
import { atEndpoint } from '#functions/platform/sdk-client';
import { lambdaContext } from '#local/lambda-context';
import { aLeadRequest, type LeadRequest } from '#test/factories/people';
import { apiEvent } from '#test/harness/api-event';
import { addBuyers } from '#test/harness/distribution';
import type { TestEngine } from '#test/harness/engine';

export const BASE_URL = 'http://localhost:3000';

/** Twenty buyers with an open order each, half of them with a minimum: two eligible sets. */
export async function twentyBuyers(engine: TestEngine, meter?: Meter): Promise<Table> {
  const table = await engine.freshTable(meter);
  await addBuyers(
    table,
    Array.from({ length: 20 }, (_, at) => ({
      id: `buyer-${at}`,
      probability: 5,
      limit: 1_000_000,
      ...(at % 2 === 0 && { minimum: 25_000 }),
    })),
  );
  return table;
}

/** Weights in percent of five buyers with an order that never fills up. */
export const SHARES = [40, 25, 20, 10, 5];
export async function fiveBuyers(engine: TestEngine): Promise<Table> {
  const table = await engine.freshTable();
  await addBuyers(
    table,
    SHARES.map((probability) => ({ id: `share-${probability}`, probability, limit: 1_000_000 })),
  );
  return table;
}

/** The largest distance of any buyer from its share, in leads. @param received by index of the share */
export function shareErrorOf(received: readonly number[]): number {
  const total = received.reduce((sum, leads) => sum + leads, 0);
  return Math.max(...SHARES.map((share, at) => Math.abs((received[at] ?? 0) - (total * share) / 100)));
}

export function clientOf(engine: TestEngine): DynamoDBClient {
  return new DynamoDBClient({
    ...atEndpoint(engine.endpoint),
    maxAttempts: 5,
  });
}

let people = 0;
/** A lead as sent by a form or a partner. */
export function leadBody(): LeadRequest {
  people += 1;
  return aLeadRequest({
    anlagebetrag: people % 2 === 0 ? 10_000 : 50_000,
    src: 'form',
    clickId: `click-${people}`,
  });
}

/** The whole function behind `POST /api/leads`, with a session. */
export async function createLeadCall(
  engine: TestEngine,
  table: Table,
): Promise<{ call: () => Promise<void>; sessionId: string }> {
  const sessionKey = randomBytes(32);
  const account = { username: 'admin', password: 'correct horse battery staple' };
  const admins = { table, runtime: systemRuntime };
  await ensureFirstAdmin(admins, account.username, account.password);
  const from = { address: '127.0.0.1', user_agent: '' };
  const admin = await checkPassword(admins, { ...account, from });
  const session = await openSession(admins, admin, { from });
  const cookie = `session=${await signSession(sessionKey, session)}`;
  const handler = create(
    environment.parse({
      TABLE_NAME: table.name,
      DYNAMODB_ENDPOINT: engine.endpoint,
      PUBLIC_BASE_URL: BASE_URL,
      KEYS_JSON: JSON.stringify({
        session: sessionKey.toString('base64'),
        encryption: [{ id: '1', key: randomBytes(32).toString('base64') }],
      }),
    }),
    systemRuntime,
  );
  return {
    sessionId: session.sessionId,
    async call() {
      const event = apiEvent('createLead', {
        body: leadBody(),
        cookies: [cookie],
        headers: { host: 'localhost:3000', origin: BASE_URL },
      });
      const answer = await handler(event, lambdaContext('leads'));
      if (answer.statusCode !== 200 || !answer.body?.includes('"assigned"'))
        throw new Error(`The handler answered ${answer.statusCode} ${answer.body}`);
    },
  };
}

/**
 * Runs `act` this many times, by this many workers in a closed loop.
 * @returns seconds
 */
export async function closedLoop(
  workers: number,
  times: number,
  act: (worker: number) => Promise<void>,
): Promise<number> {
  let left = times;
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      while (left > 0) {
        left -= 1;
        await act(worker);
      }
    }),
  );
  return (performance.now() - begin) / 1000;
}

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** Quantile by nearest rank. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import { describe, expect, vi } from 'vitest';
import { keys } from '#functions/data/table/keys';
import { createLogger } from '#functions/platform/logger';
import { Checkpoint } from '#local/checkpoint';
import { startCloud } from '#local/cloud';
import { QueuePoller } from '#local/queue-poller';
import { StreamPoller } from '#local/stream-poller';
import { openStream } from '#local/stream-source';
import { aLeadRequest } from '#test/factories/people';
import { ADMIN, addTemplate, openOrder, startTestCloud } from '#test/harness/cloud';
import { itOnEngine as it } from '#test/harness/fixtures';
import { startTestQueues } from '#test/harness/other-engine';

const quiet = createLogger(() => {});
const upTo = (last: number) => Array.from({ length: last }, (_, n) => String(n + 1));

describe('the gateway', () => {
  it('rejects a large body even without a content length', async ({ cloud }) => {
    const chunk = new TextEncoder().encode('x'.repeat(64 * 1024));
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1;
        if (sent > 40) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const init: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      duplex: 'half',
    };
    const reply = await fetch(`${cloud.url}/api/login`, init);
    expect(reply.status).toBe(413);
    expect(await reply.json()).toMatchObject({ code: 'payload_too_large' });
  });

  it('refuses an address that cannot be decoded', async ({ cloud }) => {
    const reply = await cloud.visitor.raw('GET', '/api/leads-view/%E0%A4');
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_input', error: 'Not an address' } });
  });

  it('protects the admin build with login cookies, and sends the security headers', async ({ cloud }) => {
    const closed = await cloud.visitor.raw('GET', '/admin-assets/anything.js');
    expect(closed.status).toBe(403);
    expect(closed.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(closed.headers.get('x-robots-tag')).toBeNull();
    const link = await cloud.visitor.raw('GET', `/leads/${'A'.repeat(43)}`);
    expect(link.headers.get('x-robots-tag')).toContain('noindex');
    const open = await cloud.admin.raw('GET', '/admin-assets/anything.js');
    expect(open.status).toBe(404);
  });
});

it('a restart keeps data and keys, and a folder allows one run at a time and one format', async () => {
  const dataDir = join(tmpdir(), `lead-restart-${randomUUID()}`);
  const first = await startTestCloud({ dataDir });
  await expect(startCloud({ dataDir })).rejects.toThrow(/in use by another run/);
  const cookies = [...first.admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  await first.stop();

  const second = await startTestCloud({ dataDir });
  const session = await second.visitor.raw('GET', '/api/check-auth', undefined, { cookie: cookies });
  expect(session.body).toMatchObject({ authenticated: true, username: ADMIN.username });
  await second.table.put({ put: { ...keys.format(), version: 1 } });
  await second.stop();
  // A folder in another format.
  await expect(startTestCloud({ dataDir })).rejects.toThrow(
    /Move or delete the folder, or choose another one with DATA_DIR/,
  );
  await rm(dataDir, { recursive: true, force: true });
});

it('a stop while a mail server hangs does not wait, and the next run completes the delivery', async () => {
  const dataDir = join(tmpdir(), `lead-hang-${randomUUID()}`);
  const first = await startTestCloud({ dataDir });
  const email_template_id = await addTemplate(first);
  await openOrder(first.admin, { probability: 50, send_email: true, email_template_id });
  first.inbox.mode = 'hang';
  const { lead_id: leadId } = await first.admin.ok('createLead', { body: aLeadRequest() });
  await vi.waitFor(() => expect(first.inbox.mails).toHaveLength(1), { timeout: 20_000 });
  const stopping = Date.now();
  await first.stop();
  // The channel itself would wait for ten minutes.
  expect(Date.now() - stopping).toBeLessThan(15_000);

  const second = await startTestCloud({ dataDir, smtpPort: first.inbox.port });
  expect(second.inbox.port).toBe(first.inbox.port);
  // Whether the e-mail was accepted is unknown, so it is repeated after an hour.
  await second.advance(2 * 3_600_000);
  await second.settled();
  const { lead: stored } = await second.admin.ok('getLead', { params: { leadId } });
  expect(stored.deliveries.map(({ status }) => status)).toEqual(['delivered']);
  expect(new Set(second.inbox.mails.map(({ messageId }) => messageId)).size).toBe(1);
  await second.stop();
  await rm(dataDir, { recursive: true, force: true });
});

it('the stream arrives in order, once per consumer over a restart, and again from a consumer’s failure', async ({
  engine,
  table,
}) => {
  const source = await openStream(engine.client, engine.endpoint, table.name);
  const file = join(tmpdir(), `checkpoint-${randomUUID()}`);
  const seen: string[] = [];
  let refuse = '7';
  const handler = async (event: DynamoDBStreamEvent) => {
    for (const record of event.Records) {
      const name = record.dynamodb?.Keys?.sk?.S ?? '';
      if (name === refuse) {
        refuse = '';
        return { batchItemFailures: [{ itemIdentifier: record.dynamodb?.SequenceNumber ?? '' }] };
      }
      seen.push(name);
    }
    return { batchItemFailures: [] };
  };
  const start = () =>
    new StreamPoller({
      name: 'test',
      source,
      checkpoint: new Checkpoint(file, quiet),
      handler,
      log: quiet,
    });
  const write = async (from: number, to: number) => {
    for (let n = from; n <= to; n += 1) await table.put({ put: { pk: 'A', sk: String(n) } });
  };

  const first = start();
  await write(1, 20);
  first.nudge();
  await vi.waitFor(() => expect(seen).toEqual(upTo(20)), { timeout: 5000 });
  await vi.waitFor(async () => expect(await first.caughtUp()).toBe(true), { timeout: 5000 });
  await first.stop();
  await write(21, 30);

  const second = start();
  await vi.waitFor(() => expect(seen).toEqual(upTo(30)), { timeout: 5000 });
  await second.stop();
  source.close();
  await rm(file, { force: true });
});

it('a queue redelivers a failed message and finally moves it to the dead letters', async () => {
  const queues = await startTestQueues();
  const received: string[] = [];
  const handler = async (event: SQSEvent) => {
    received.push(...event.Records.map(({ body }) => body));
    return {
      batchItemFailures: event.Records.filter(({ body }) => body === 'bad').map(({ messageId }) => ({
        itemIdentifier: messageId,
      })),
    };
  };
  const poller = new QueuePoller({
    name: 'deliver',
    client: queues.client,
    url: queues.urls.deliver,
    handler,
    batch: 10,
    concurrency: 2,
    log: quiet,
    onWorked: () => {},
  });
  for (const MessageBody of ['good', 'bad'])
    await queues.client.send(new SendMessageCommand({ QueueUrl: queues.urls.deliver, MessageBody }));
  await vi.waitFor(() => expect(received.toSorted()).toEqual(['bad', 'good']), { timeout: 5000 });
  await poller.pause();
  expect((await queues.content('deliver')).inflight).toHaveLength(1);

  for (let receipts = 2; receipts <= 5; receipts += 1) {
    await queues.hasten(2 * 3_600_000);
    poller.resume();
    await vi.waitFor(() => expect(received.filter((body) => body === 'bad')).toHaveLength(receipts), {
      timeout: 5000,
    });
    await poller.pause();
  }
  await queues.hasten(2 * 3_600_000);
  poller.resume();
  await vi.waitFor(async () => expect((await queues.deadLetters('deliver')).ready).toHaveLength(1), {
    timeout: 5000,
  });
  expect(received).toHaveLength(6);
  expect(received.filter((body) => body === 'good')).toHaveLength(1);
  await poller.pause();
  await queues.stop();
});

/** Amazon's DynamoDB Local instead of the embedded engine, over restarts. Runs only on request. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { DescribeStreamCommand, DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import Database from 'libsql';
import { afterEach, expect, it, vi } from 'vitest';
import { atEndpoint } from '#functions/platform/sdk-client';
import { TABLE_NAME } from '#local/running';
import { aLeadRequest } from '#test/factories/people';
import { addTemplate, openOrder, startTestCloud, type TestCloud } from '#test/harness/cloud';
import { ON_DYNAMODB_LOCAL } from '#test/harness/other-engine';

const dataDir = join(tmpdir(), `lead-amazon-${randomUUID()}`);
let cloud: TestCloud | undefined;
afterEach(async () => {
  await cloud?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const shardsOf = async ({ tableClient, environment }: TestCloud) => {
  const { Table } = await tableClient.send(new DescribeTableCommand({ TableName: TABLE_NAME }));
  const client = new DynamoDBStreamsClient(atEndpoint(environment.DYNAMODB_ENDPOINT));
  const answer = await client.send(new DescribeStreamCommand({ StreamArn: Table?.LatestStreamArn ?? '' }));
  client.destroy();
  return answer.StreamDescription?.Shards ?? [];
};

/** Ages the open shard by six hours, so that the engine closes it soon after its next start. */
const ageShards = () => {
  const database = new Database(join(dataDir, 'dynamodb-local', 'local_local.db'));
  const { changes } = database
    .prepare('UPDATE ss SET CreationDateTime = CreationDateTime - ? WHERE DeletionDateTime IS NULL')
    .run(6 * 3600_000);
  database.close();
  expect(changes).toBeGreaterThan(0);
};

it.skipIf(!ON_DYNAMODB_LOCAL)(
  'delivers and counts over restarts and from one shard to the next',
  async () => {
    cloud = await startTestCloud({ dataDir });
    const smtpPort = cloud.inbox.port;
    await openOrder(cloud.admin, {
      probability: 50,
      send_email: true,
      email_template_id: await addTemplate(cloud),
    });
    let sent = 0;
    const leadArrives = async (on: TestCloud) => {
      await on.admin.ok('createLead', { body: aLeadRequest() });
      sent += 1;
      await on.settled();
      expect(on.inbox.mails).toHaveLength(sent);
      const { time_series } = await on.admin.ok('getBuyerStats', { query: {} });
      expect(time_series.reduce((sum, day) => sum + day.leads_received, 0)).toBe(sent);
    };
    const restart = async () => {
      await cloud?.stop();
      ageShards();
      cloud = await startTestCloud({ dataDir, smtpPort });
      return cloud;
    };
    await leadArrives(cloud);
    await leadArrives(cloud);

    for (const shards of [2, 3]) {
      const restarted = await restart();
      await leadArrives(restarted);
      await vi.waitFor(async () => expect(await shardsOf(restarted)).toHaveLength(shards), {
        timeout: 60_000,
      });
      await leadArrives(restarted);
      await leadArrives(restarted);
    }
    await cloud.stop();
    for (const consumer of ['outbox', 'statistics']) {
      const position: unknown = JSON.parse(readFileSync(join(dataDir, 'checkpoints', consumer), 'utf8'));
      expect(
        Object.values(position as object)
          .map(String)
          .sort((a, b) => (a < b ? -1 : 1)),
      ).toEqual([expect.stringMatching(/^0\d{20}$/), 'read', 'read']);
    }
  },
);

/** What waited on the queues of the embedded cloud when it stopped. */

import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TABLE_FORMAT } from '#functions/data/table/format';
import { indexed, keys } from '#functions/data/table/keys';
import { aLeadRequest } from '#test/factories/people';
import { addTemplate, openOrder, startTestCloud, type TestCloud } from '#test/harness/cloud';

let dataDir: string;
let cloud: TestCloud;
beforeEach(() => {
  dataDir = join(tmpdir(), `lead-restart-${randomUUID()}`);
});
afterEach(async () => {
  await cloud.stop();
  await rm(dataDir, { recursive: true, force: true });
});

it('sends the notifications that waited at the stop, each once', async () => {
  cloud = await startTestCloud({ dataDir });
  await cloud.admin.ok('createPushoverCredential', {
    body: {
      user_key: 'u'.repeat(30),
      app_key: 'a'.repeat(30),
      notify_lead_assignment: true,
      notify_lead_claims: true,
    },
  });
  const email_template_id = await addTemplate(cloud);
  const { buyer_id } = await openOrder(cloud.admin, { probability: 50, send_email: true, email_template_id });
  await cloud.settled();
  const smtpPort = cloud.inbox.port;
  cloud.partners.modes.pushover = '500';
  const { lead_id } = await cloud.admin.ok('createLead', { body: aLeadRequest() });
  await cloud.settled();
  const { lead } = await cloud.admin.ok('getLead', { params: { leadId: lead_id } });
  const { claim } = await cloud.admin.ok('fileClaim', {
    body: { lead_id, order_id: lead.order_id ?? 0, buyer_id, claim_reason: 'falsche_nummer' },
  });
  await cloud.settled();
  cloud.inbox.mode = 'greylist';
  await cloud.admin.ok('approveClaim', { params: { claimId: claim.claim_id }, body: {} });
  await cloud.settled();
  await cloud.stop();

  // Restarts one after another, in each of which the queue is lost.
  for (let start = 0; start < 2; start += 1) {
    cloud = await startTestCloud({ dataDir, smtpPort });
    if (start === 0) await cloud.stop();
  }
  for (let minutes = 0; minutes < 6; minutes += 1) {
    await cloud.advance(60_000);
    await cloud.settled();
  }
  expect(cloud.inbox.mails.filter(({ subject }) => subject.startsWith('Reklamation'))).toHaveLength(1);
  // The push about the claim is outdated: it was decided meanwhile.
  expect(cloud.partners.calls.map(({ fields }) => fields)).toMatchObject([
    { title: `Lead ${lead.display_id} assigned` },
  ]);
  const open = await cloud.table.query({ index: 'gsi2', partition: indexed.openNotifications() });
  expect(open.items).toEqual([]);
});

it('does not start on a data folder of another format, and says what to do', async () => {
  cloud = await startTestCloud({ dataDir });
  expect(await cloud.table.get(keys.format())).toMatchObject({ version: TABLE_FORMAT });
  await cloud.table.put({ put: { ...keys.format(), version: 1 } });
  await cloud.stop();
  await expect(startTestCloud({ dataDir })).rejects.toThrow(
    /Move or delete the folder, or choose another one with DATA_DIR/,
  );
});

import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aLeadRequest } from '#test/factories/people';
import { ADMIN, addAdmin, addTemplate, Client, openOrder } from '#test/harness/cloud';
import { startMemoryCloud } from '#test/harness/memory-cloud';
import { rewindables } from '#test/harness/rewind';

it('the in-memory product delivers a lead, and can be reset', async () => {
  const cloud = await startMemoryCloud({
    dataDir: join(tmpdir(), `memory-cloud-${randomUUID()}`),
    beforeOpen: (parts) => addAdmin(parts, ADMIN.username),
  });
  const admin = new Client(cloud.url);
  await admin.logIn();
  const email_template_id = await addTemplate({ admin, inbox: cloud.inbox });
  const { buyer_id } = await openOrder(admin, { probability: 50, send_email: true, email_template_id });
  const mine = [...rewindables].at(-1)!;
  mine.keep();
  for (let round = 0; round < 2; round += 1) {
    await admin.ok('createLead', { body: aLeadRequest() });
    await cloud.settled();
    expect(cloud.inbox.mails).toHaveLength(1);
    const { orders } = await admin.ok('listBuyerOrders', { params: { buyerId: buyer_id } });
    expect(orders.map(({ leads_received }) => leads_received)).toEqual([1]);
    await mine.rewind();
    expect(cloud.inbox.mails).toHaveLength(0);
  }
  await cloud.stop();
  expect(rewindables).not.toContain(mine);
});

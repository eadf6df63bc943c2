/** Bounced e-mails: the address state changes, and a delivered e-mail becomes a failed delivery. */

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as addressStore from '#functions/data/deliveries/address-store';
import * as deliveryStore from '#functions/data/deliveries/delivery-store';
import { createKeyLoader } from '#functions/keys/keys';
import { bounceEvent, publish } from '#local/ses-events';
import { aPerson } from '#test/factories/people';
import { addTemplate, openOrder, startTestCloud, type TestCloud } from '#test/harness/cloud';

let cloud: TestCloud;
let template = '';
let number = 0;
beforeAll(async () => {
  cloud = await startTestCloud();
  template = await addTemplate(cloud);
});
afterAll(() => cloud.stop());
afterEach(() => {
  cloud.inbox.mode = 'ok';
  cloud.inbox.rule = undefined;
});

const personKey = async () => (await createKeyLoader(cloud.environment)()).person;
const stateOf = async (email: string) =>
  (await addressStore.addressState({ table: cloud.table, personKey }, email))?.state;
const deliveryOf = async (lead: string) => deliveryStore.get(cloud, lead, 'email');
const notify = (event: object) => publish(cloud.queues.client, cloud.queues.urls.bounces, event);

/** The only buyer with leads, with its own address. */
async function aBuyer() {
  for (const { buyer_id } of (await cloud.admin.ok('listActiveBuyers')).buyers)
    await cloud.admin.ok('updateBuyer', { params: { buyerId: buyer_id }, body: { active: 0 } });
  const buyer_email = `einkauf${(number += 1)}@example.org`;
  const buyer = await openOrder(cloud.admin, {
    buyer_id: `bounces-${number}`,
    buyer_email,
    send_email: true,
    email_template_id: template,
  });
  return { ...buyer, buyer_email };
}
async function aLead(): Promise<string> {
  const { lead_id } = await cloud.admin.ok('createLead', { body: aPerson() });
  await cloud.settled();
  return lead_id;
}

describe('an e-mail with a lead', () => {
  it('that is permanently rejected marks the address as dead until the server accepts e-mails again', async () => {
    const { buyer_email, buyer_id } = await aBuyer();
    const params = { buyerId: buyer_id };
    cloud.inbox.rule = () => 'refuse';
    await aLead();
    expect(
      await addressStore.addressState({ table: cloud.table, personKey }, buyer_email.toUpperCase()),
    ).toMatchObject({
      state: 'bounced_hard',
      count: 1,
      by: 'smtp',
      code: '5.1.1',
    });
    const row = { state: 'bounced_hard', code: '5.1.1', by: 'smtp', count: 1 };
    expect((await cloud.admin.ok('getBuyer', { params })).buyer.email_state).toMatchObject(row);
    const { buyers } = await cloud.admin.ok('listBuyers');
    expect(buyers.find((buyer) => buyer.buyer_id === buyer_id)?.email_state).toMatchObject(row);
    cloud.inbox.rule = undefined;
    await aLead();
    expect(await stateOf(buyer_email)).toBeUndefined();
  });

  it('that bounces after it was accepted is a failed delivery, reported once and not resent', async () => {
    const { buyer_email, buyer_id } = await aBuyer();
    cloud.inbox.mode = 'bounce';
    const lead = await aLead();
    const failed = await deliveryOf(lead);
    expect(failed).toMatchObject({ status: 'failed', unreported: true, attempt_count: 1 });
    expect(failed?.error).toMatch(/^The e-mail bounced: smtp; 550 5.1.1 <\[address\]>/);
    expect(await addressStore.addressState({ table: cloud.table, personKey }, buyer_email)).toMatchObject({
      state: 'bounced_hard',
      by: 'ses',
      diagnostic: 'smtp; 550 5.1.1 <[address]>: user unknown',
    });
    const mail = cloud.inbox.mails.findLast(({ messageId = '' }) => messageId.includes(lead));
    const event = bounceEvent(mail!, failed!.external_id!, cloud.runtime.now());
    await notify(event);
    await cloud.advance(15 * 60_000);
    await cloud.settled();
    const notified = await deliveryOf(lead);
    expect(notified).toMatchObject({ status: 'failed', attempts: failed!.attempts });
    expect(notified?.unreported).toBeUndefined();
    const alerts = cloud.inbox.mails.filter(({ text }) => text.includes('could not be delivered'));
    expect(alerts.at(-1)?.text).toContain('does not exist or rejects e-mails, since');

    // An admin resent it; the event of the first e-mail does not concern the second.
    cloud.inbox.mode = 'ok';
    await cloud.admin.ok('resendDelivery', { params: { leadId: lead, channel: 'email' } });
    await cloud.settled();
    await notify(event);
    await cloud.settled();
    expect(await deliveryOf(lead)).toMatchObject({ status: 'delivered', series: 2 });
    // SES events are cleared only by a delivery event, not by a server's acceptance.
    expect(await stateOf(buyer_email)).toBe('bounced_hard');
    const { buyer } = await cloud.admin.ok('confirmBuyerAddress', { params: { buyerId: buyer_id } });
    expect(buyer.email_state).toBeNull();
    await notify(bounceEvent({ to: [buyer_email] }, 'later', new Date(cloud.runtime.now().getTime() + 1)));
    await cloud.settled();
    expect(await stateOf(buyer_email)).toBe('bounced_hard');
    cloud.clock.advance(60_000);
    await notify({
      eventType: 'Delivery',
      mail: event.mail,
      delivery: { recipients: [buyer_email], timestamp: cloud.runtime.now().toISOString() },
    });
    await cloud.settled();
    expect(await stateOf(buyer_email)).toBeUndefined();
  });
});

it('an invalid event goes to the dead letters without a retry', async () => {
  for (const text of ['{"eventType":"Open"}', '{"a":1}']) await notify(JSON.parse(text) as object);
  await cloud.settled();
  expect((await cloud.queues.deadLetters('bounces')).ready).toEqual([]);
  expect((await cloud.queues.content('bounces')).inflight).toEqual([]);
});

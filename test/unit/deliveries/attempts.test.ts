/** When a delivery is attempted, what its log and lists show, and who is notified. */

import { describe, expect, it } from 'vitest';
import type { Report } from '#functions/channels/channel';
import * as addressStore from '#functions/data/deliveries/address-store';
import { channelCircuit, openUntil } from '#functions/data/deliveries/circuits';
import * as deliveryStore from '#functions/data/deliveries/delivery-store';
import * as payloadStore from '#functions/data/deliveries/payloads';
import * as sendingStore from '#functions/data/deliveries/sending-store';
import type { Delivery } from '#functions/data/leads/lead';
import { keys } from '#functions/data/table/keys';
import { dueAt } from '#functions/domain/deliveries/attempts';
import { deliver } from '#functions/domain/deliveries/deliveries';
import { noteMailEvent, readMailEvent } from '#functions/domain/deliveries/mail-events';
import { requeueOverdueDeliveries } from '#functions/domain/deliveries/requeue';
import type { DeliverMessage } from '#functions/queues/messages';
import type { Outgoing } from '#functions/queues/queue';
import { bounceEvent } from '#local/ses-events';
import { aBuyer } from '#test/factories/buyers';
import { aDeliverMessage, aDelivery, anAttempt, aReport } from '#test/factories/deliveries';
import { aLead, LEAD_ID } from '#test/factories/leads';
import { anOrder } from '#test/factories/orders';
import { deliverDepsOn, listQueue, putDelivery, runtimeAt } from '#test/harness/deliveries';
import { memoryTable } from '#test/harness/memory-table';

const START = new Date('2026-11-20T10:00:00.000Z');
const minute = (number: number) => new Date(START.getTime() + number * 60_000);
const at = (number: number) => minute(number).toISOString();
const attempts = (...outcomes: Parameters<typeof anAttempt>[1][]) =>
  outcomes.map((outcome) => anAttempt(START, outcome));

/** A table with one delivery that has these attributes. */
async function world(changes: Partial<Delivery> = {}) {
  const table = memoryTable();
  await putDelivery(table, aDelivery(changes));
  const state = { now: START, report: {} as Partial<Report>, calls: 0, dies: false };
  const sent: Outgoing<DeliverMessage>[] = [];
  const [notified, recorded]: [string[], string[]] = [[], []];
  const deadLetters: Outgoing<DeliverMessage>[] = [];
  const send = async () => {
    state.calls += 1;
    return aReport(state.report);
  };
  const notifyOperator = async (subject: string, text: string) => {
    if (state.dies) throw new Error('killed');
    notified.push(`${subject}\n${text}`);
  };
  const metrics = { record: (name: string) => void recorded.push(name) };
  const runtime = { ...runtimeAt(() => state.now), metrics };
  const queues = { queue: listQueue(sent), deadLetters: listQueue(deadLetters) };
  const deps = deliverDepsOn(table, { send }, { ...queues, notifyOperator, runtime });
  const stored = async () => (await deliveryStore.get({ table }, LEAD_ID, changes.channel ?? 'email'))!;
  return { table, deps, state, sent, notified, recorded, deadLetters, stored };
}

describe('an attempt', () => {
  const ahead = { updated_at: at(2), next_attempt_at: at(3) };
  it.each<[string, Partial<Delivery>, number]>([
    ['when its series began', { queued_at: at(-3) }, -3],
    ['as planned', { next_attempt_at: at(5), updated_at: at(1) }, 5],
    ['now if a clock that is ahead planned it', ahead, 0],
    ['at its planned time if that is in the past', { ...ahead, next_attempt_at: at(-1) }, -1],
    ['now if the last one cannot have arrived', { ...ahead, attempts: attempts('unknown', 'transient') }, 0],
    ['now if the last one was skipped', { ...ahead, attempts: attempts('unknown', 'skipped') }, 0],
    [
      'as planned if the last one may have arrived',
      { ...ahead, attempts: attempts('transient', 'unknown') },
      3,
    ],
    ['as planned while one is made', { ...ahead, sending_until: at(3) }, 3],
  ])('is due %s', (_, changes, minutes) => {
    expect(dueAt(aDelivery(changes), START)).toEqual(minute(minutes));
  });

  it.each<[string, Partial<Delivery>, Partial<DeliverMessage>, number]>([
    ['is made for its message', { attempt_count: 1 }, {}, 1],
    ['is made up to a second early', { attempt_count: 1, next_attempt_at: at(1 / 60) }, {}, 1],
    ['waits until it is due', { attempt_count: 1, next_attempt_at: at(1.1 / 60) }, {}, 0],
    ['is not made for a message of another attempt', { attempt_count: 2 }, {}, 0],
    ['is not made for a message of another series', { attempt_count: 1 }, { series: 2 }, 0],
    ['is not made after it was delivered', { attempt_count: 1, status: 'delivered' }, {}, 0],
    ['is not made after it failed', { attempt_count: 1, status: 'failed' }, {}, 0],
    ['is not made for another lead', {}, { lead_id: 'other' }, 0],
    ['takes over from a dead worker', { attempt_count: 2, sending_until: at(0), sending_by: 'x' }, {}, 1],
  ])('%s', async (_, changes, message, calls) => {
    const { deps, state, sent } = await world(changes);
    await deliver(deps, aDeliverMessage({ attempt_count: 1, ...message }));
    expect(state.calls).toBe(calls);
    expect(sent.map(({ delay }) => delay)).toEqual(changes.next_attempt_at && calls === 0 ? [2] : []);
  });

  it('is not made for an erased person, and only an e-mail contains the order link', async () => {
    const { table } = await world();
    const load = (channel: Delivery['channel']) => payloadStore.load({ table }, aDelivery({ channel }));
    expect(await load('email')).toMatchObject({ payload: { token: '' } });
    await table.put({ put: { ...keys.order(12), ...anOrder() } });
    expect(await load('email')).toMatchObject({ payload: { token: anOrder().token } });
    expect(await load('trackbox')).toMatchObject({ payload: { token: '' } });
    expect(await payloadStore.latestTokenOf({ table }, aBuyer())).toBe(anOrder().token);
    expect(await payloadStore.latestTokenOf({ table }, aBuyer({ last_order_id: null }))).toBe('');
    await table.put({ put: { ...keys.lead(LEAD_ID), ...aLead({ erased_at: at(0) }) } });
    expect(await load('email')).toEqual({ ok: false, error: 'The person was erased before it was sent' });
  });

  it.each<[Delivery['channel'], (string | null)[]]>([
    ['email', ['1', null, '3']],
    ['trackbox', ['1', '1', '3']],
  ])('over %s keeps the ID from the partner, but not the ID of an earlier e-mail', async (channel, ids) => {
    const { deps, state, stored } = await world({ channel });
    for (const [attempt_count, external_id] of ['1', null, '3'].entries()) {
      state.report = { outcome: 'transient', external_id };
      await deliver(deps, aDeliverMessage({ channel, attempt_count }));
      expect((await stored()).external_id).toBe(ids[attempt_count]);
      expect((await deliveryStore.waiting(deps, 'retrying', { limit: 9 })).deliveries).toHaveLength(1);
      state.now = new Date((await stored()).next_attempt_at!);
    }
    state.report = {};
    await deliver(deps, aDeliverMessage({ channel, attempt_count: 3 }));
    expect((await deliveryStore.waiting(deps, 'retrying', { limit: 9 })).deliveries).toEqual([]);
    expect(await stored()).not.toHaveProperty('unreported');
  });
});

describe('a delivery whose channel is paused', () => {
  it('keeps its attempts and error, and logs the pause once', async () => {
    const before = { attempts: attempts('transient'), error: 'down' };
    const { table, deps, state, stored, sent } = await world(before);
    const open_until = at(10);
    await table.put({ put: { ...keys.circuit(7, 'email'), failures: 5, openings: 2, open_until } });
    for (const now of [0, 2]) {
      state.now = minute(now);
      await deliver(deps, aDeliverMessage());
      const { attempts: log, ...rest } = await stored();
      expect(log.map(({ outcome }) => outcome)).toEqual(['transient', 'skipped']);
      expect(rest).toMatchObject({ status: 'retrying', error: 'down', next_attempt_at: open_until });
      const key = keys.delivery(LEAD_ID, 'email');
      await table.update({ key, update: 'SET next_attempt_at = :null', values: { ':null': null } });
    }
    expect([state.calls, sent.map(({ delay }) => delay)]).toEqual([0, [600, 480]]);
    expect(await openUntil(deps, channelCircuit(7, 'email'))).toEqual(minute(10));
    expect(await openUntil(deps, channelCircuit(8, 'email'))).toBeUndefined();
  });

  it('fails after a day and is reported even if its worker dies', async () => {
    const { table, deps, state, stored, sent, notified, recorded } = await world({
      created_at: at(-24 * 60),
    });
    await table.put({ put: { ...keys.circuit(7, 'email'), failures: 5, openings: 1, open_until: at(1) } });
    state.dies = true;
    await expect(deliver(deps, aDeliverMessage())).rejects.toThrow('killed');
    state.dies = false;
    expect(await stored()).toMatchObject({ status: 'failed', unreported: true });
    expect(recorded).toEqual(['DeliveriesFailed']);
    state.now = minute(3);
    expect(await requeueOverdueDeliveries(deps)).toBe(1);
    await deliver(deps, sent.at(-1)!.message);
    expect(notified.join()).toContain('Reason: Stopped retrying after a day.');
  });
});

describe('a failure', () => {
  const FAILS = { outcome: 'permanent', error: 'no' } as const;

  it.each<[string, Partial<Report>, string]>([
    ['its reason', FAILS, 'Reason: no\nYou can'],
    ['an unknown reason', { ...FAILS, error: null }, 'Reason: unknown\nYou can'],
    ['the address problem', { ...FAILS, bounce: { hard: true, code: '5.1.1' } }, 'does not exist or rejects'],
  ])('is reported with %s, once an hour', async (_, report, text) => {
    const { table, deps, state, notified, deadLetters, stored } = await world();
    for (const minutes of [0, 59, 60]) {
      state.now = minute(minutes);
      state.report = report;
      await putDelivery(table, aDelivery());
      await deliver(deps, aDeliverMessage());
      expect(await stored()).not.toHaveProperty('unreported');
      expect(notified).toHaveLength(minutes < 60 ? 1 : 2);
    }
    expect(notified[0]).toContain(text);
    expect(deadLetters).toHaveLength(3);
  });

  it('is reported even if its buyer does not exist', async () => {
    const { table, deps, notified } = await world({ status: 'failed', unreported: true, error: 'no' });
    await table.delete({ delete: keys.buyer(7) });
    await deliver(deps, aDeliverMessage());
    expect(notified.join()).toContain('Delivery failed: email of buyer 7');
  });
});

describe('resending', () => {
  it('starts one series for concurrent requests', async () => {
    const { table, stored } = await world({ status: 'failed' });
    const expected = await stored();
    const begin = (now: Date) =>
      sendingStore.begin({ table }, deliveryStore.DELIVERIES.location, expected, now, {});
    expect((await begin(minute(1))).ok).toBe(true);
    expect(await begin(minute(2))).toMatchObject({ ok: false, found: { series: 2, queued_at: at(1) } });
  });
});

describe('a bounced e-mail', () => {
  const MAIL = { to: ['a@b.de'], messageId: `<${LEAD_ID}.t@x>` };
  const error = 'The e-mail bounced: smtp; 550 5.1.1 <[address]>: user unknown';

  it.each<[string, Partial<Delivery>, object | null, object]>([
    ['fails its delivery', {}, {}, { status: 'failed', error, unreported: true }],
    ['does not change a later e-mail', { external_id: 'later' }, {}, { status: 'delivered' }],
    ['does not change a failed delivery', { status: 'failed' }, {}, { error: null }],
    ['does not change the delivery to the next buyer', {}, { sequence: 4 }, { status: 'delivered' }],
    ['does not change the delivery of a deleted lead', {}, null, { status: 'delivered' }],
  ])('%s', async (_, changes, lead, expected) => {
    const { table, deps, stored } = await world({ status: 'delivered', external_id: 'ses-1', ...changes });
    if (lead === null) await table.delete({ delete: keys.lead(LEAD_ID) });
    else await table.put({ put: { ...keys.lead(LEAD_ID), ...aLead(lead) } });
    await noteMailEvent(deps, readMailEvent(bounceEvent(MAIL, 'ses-1', START))!);
    expect(await stored()).toMatchObject(expected);
    expect((await addressStore.addressState(deps, 'a@b.de'))?.code).toBe('5.1.1');
  });

  it('is retried until its attempt is recorded, and does not affect other e-mails', async () => {
    const { deps } = await world({ attempt_count: 1, sending_until: at(2) });
    const event = (messageId: string) => readMailEvent(bounceEvent({ ...MAIL, messageId }, 'ses-1', START))!;
    await expect(noteMailEvent(deps, event(MAIL.messageId))).rejects.toThrow('not recorded yet');
    for (const other of ['<other@x>', `<${LEAD_ID.replace('1', '2')}.t@x>`])
      await noteMailEvent(deps, event(other));
  });
});

describe('an e-mail address', () => {
  const [mail, emails] = [{ messageId: 'm' }, [{ emailAddress: 'a@b.de' }]];
  const event = {
    feedbackId: 'f',
    timestamp: at(0),
    complainedRecipients: emails,
    bouncedRecipients: emails,
  };
  const complaint = (complaintFeedbackType: string) => ({ ...event, complaintFeedbackType });
  it.each([
    ['is unwanted', { eventType: 'Complaint', complaint: complaint('abuse') }, 'complained'],
    ['is fine', { eventType: 'Complaint', complaint: complaint('not-spam') }, undefined],
    ['is full', { eventType: 'Bounce', bounce: { ...event, bounceType: 'Transient' } }, 'bounced_soft'],
    ['is dead', { eventType: 'Bounce', bounce: { ...event, bounceType: 'Permanent' } }, 'bounced_hard'],
  ])('%s as reported by SES, without a reason', async (_, reported, state) => {
    const { deps } = await world();
    await noteMailEvent(deps, readMailEvent({ ...reported, mail })!);
    const expected = {
      state,
      count: 1,
      by: 'ses',
      code: null,
      diagnostic: null,
      first_at: at(0),
      last_at: at(0),
    };
    expect(await addressStore.addressState(deps, 'a@b.de')).toEqual(state && expected);
  });
});

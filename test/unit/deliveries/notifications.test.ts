/** Each kind of notification: who gets it, when it is retried, and when it is dropped. */

import { describe, expect, it } from 'vitest';
import type { Report } from '#functions/channels/channel';
import type { PushResult } from '#functions/channels/pushover';
import * as claimStore from '#functions/data/claims/claim-store';
import * as addressStore from '#functions/data/deliveries/address-store';
import * as dedupMarkerStore from '#functions/data/deliveries/dedup-markers';
import * as notificationStore from '#functions/data/deliveries/notification-store';
import * as erasureStore from '#functions/data/leads/erasure-store';
import { keys } from '#functions/data/table/keys';
import type { Item } from '#functions/data/table/table';
import { notify } from '#functions/domain/deliveries/notifications';
import { requeueNotifications } from '#functions/domain/deliveries/requeue-notifications';
import type { NotifyMessage } from '#functions/queues/messages';
import type { Outgoing } from '#functions/queues/queue';
import { aBuyer } from '#test/factories/buyers';
import { aNewClaim } from '#test/factories/claims';
import { aReport } from '#test/factories/deliveries';
import { aLead, LEAD_ID } from '#test/factories/leads';
import { anOrder } from '#test/factories/orders';
import { aTemplate } from '#test/factories/templates';
import { listQueue, notifyDepsOn, runtimeAt } from '#test/harness/deliveries';
import { memoryTableWith } from '#test/harness/memory-table';

const START = new Date('2026-11-20T10:00:00.000Z');
const minute = (number: number) => new Date(START.getTime() + number * 60_000);

const credential = (id: string, leads: boolean) => ({
  ...keys.pushoverCredential(id),
  id,
  user_key: id,
  app_key: 'app',
  notify_lead_assignment: leads,
  notify_lead_claims: !leads,
  created_at: '',
});
const RECIPIENT = { erasure_id: 'e1', buyer: 7, leads: [], by_hand: false, email_count: 1 };
const ITEMS = {
  lead: { ...keys.lead(LEAD_ID), ...aLead({ claim_id: 5, claim_status: 'pending' }) },
  buyer: { ...keys.buyer(7), ...aBuyer({ notify_order_nearly_full: true }) },
  order: { ...keys.order(12), ...anOrder() },
  template: { ...keys.template(aTemplate().id), ...aTemplate() },
  claim: { ...keys.claim(5), ...claimStore.filed(aNewClaim(), aLead()).claim },
  recipient: { ...keys.erasureRecipient('e1', 7), ...RECIPIENT },
  forLeads: credential('leads', true),
  forClaims: credential('claims', false),
};
/** Changes to the stored items; null deletes an item. */
type Changes = { readonly [Name in keyof typeof ITEMS]?: object | null };

const LEAD = { about: 'lead', lead_id: LEAD_ID, status: 'assigned' } as const;
const PENDING = { ...LEAD, status: 'ineligible' } as const;
const FILED = { about: 'claim_filed', lead_id: LEAD_ID } as const;
const DECIDED = { about: 'claim_decided', lead_id: LEAD_ID, status: 'approved' } as const;
const approved = (changes: object = {}) => ({ lead: { claim_status: 'approved', ...changes } });
const REVIEW = { about: 'claim_review', lead_id: LEAD_ID } as const;
const ERASURE = { about: 'erasure', lead_id: LEAD_ID, erasure: 'e1', buyer: 7, email_number: 2 } as const;
const link = (about: Extract<NotifyMessage, { order_id: number }>['about']) =>
  ({ about, order_id: 12, request: 'r' }) as const;
const alert = (medium: 'email' | 'push') => ({ about: 'alert', alert: 'a', medium }) as const;

async function world(changes: Changes = {}) {
  const items: Item[] = Object.entries({ ...ITEMS, ...changes }).flatMap(([name, change]) =>
    change === null ? [] : [{ ...ITEMS[name as keyof Changes], ...change }],
  );
  const table = await memoryTableWith(items as never);
  const state = {
    sent: [] as string[],
    notified: [] as string[],
    now: START,
    outcome: 'delivered' as Report['outcome'],
    push: { outcome: 'sent' } as PushResult,
  };
  const mail = { to: '', subject: '', messageId: '' };
  const deps = notifyDepsOn(table, {
    runtime: runtimeAt(() => state.now),
    alertAddresses: async () => ['a@b.de', 'c@d.de'],
    mail: async (_, { text }) => {
      state.sent.push(text);
      return aReport({ outcome: state.outcome });
    },
    platformMail: async ({ to, text }) => {
      state.sent.push(`platform ${to} ${text}`);
      return state.outcome === 'delivered';
    },
    push: async ({ user, title }) => {
      state.sent.push(`push ${user} ${title}`);
      return state.push;
    },
    reviewClaim: async (lead) => void state.sent.push(`review ${lead}`),
    notifyOperator: async (subject, text) => void state.notified.push(`${subject}: ${text}`),
    texts: {
      push: ({ about }, { buyer }) => ({ title: `${about} ${buyer?.buyer_id}`, message: '' }),
      link: ({ about, code, unsubscribe }) => ({ ...mail, text: `${about} ${code} ${unsubscribe}` }),
      decision: ({ claim }) => ({ ...mail, text: `decision ${claim.claim_id}` }),
      alert: ({ lines }) => ({ text: lines.join() }),
      erasure: ({ email_number }) => ({ ...mail, text: `erasure ${email_number}` }),
      confirmation: ({ to, wording, confirm }) => ({ ...mail, text: `confirm ${to} ${wording} ${confirm}` }),
    },
  });
  /** Handles a notification message, this many minutes after its creation. */
  const handle = async (message: NotifyMessage, at = 0) => {
    await table.put(notificationStore.created({ ...message, title: 'Title', lines: ['x', 'y'] }, START));
    state.now = minute(at);
    await notify(deps, message);
    return (await notificationStore.get({ table }, message))!;
  };
  return { table, deps, state, handle };
}

describe('a notification', () => {
  it.each<[string, NotifyMessage, Changes, string[]]>([
    ['of an assigned lead: to credentials subscribed to leads', LEAD, {}, ['push leads assigned acme']],
    [
      'of a pending lead: names its intended buyer',
      PENDING,
      { lead: { status: 'pending', buyer: undefined, intended_buyer: 7 } },
      ['push leads ineligible acme'],
    ],
    ['of a claim: to credentials subscribed to claims', FILED, {}, ['push claims claim acme']],
    ['of a claim to review: to nobody', REVIEW, {}, [`review ${LEAD_ID}`]],
    ['of a decision: by the buyer’s template', DECIDED, approved(), ['decision 5']],
    ['of a link code: with the code', link('link_code'), {}, ['link_code 12345678 undefined']],
    ['of a new link: without a code', link('link_regenerated'), {}, ['link_regenerated  undefined']],
    ['with an unsubscribe link', link('order_nearly_full'), {}, ['order_nearly_full  token']],
    [
      'without template: by the platform',
      link('statement'),
      { template: null },
      ['platform  statement  undefined'],
    ],
    ['of an erasure: by the buyer’s template', ERASURE, {}, ['erasure 2']],
    ['of an erasure: by any template', ERASURE, { buyer: { email_template_id: null } }, ['erasure 2']],
    ['of an alert: to every address', alert('email'), {}, ['platform a@b.de x,y', 'platform c@d.de x,y']],
    ['of an alert: to every device', alert('push'), {}, ['push claims Title', 'push leads Title']],
  ])('%s', async (_, message, changes, sent) => {
    const { state, handle } = await world(changes);
    expect(await handle(message)).toMatchObject({ done_at: START.toISOString(), attempt_count: 0 });
    expect(state.sent).toEqual(sent);
    await handle(message, 1);
    expect(state.sent).toEqual(sent);
  });

  it.each<[string, NotifyMessage, Changes, number?]>([
    ['its lead was deleted', LEAD, { lead: null }],
    ['its lead is pending again', LEAD, { lead: { status: 'pending' } }],
    ['its lead was assigned', PENDING, {}],
    ['nobody is subscribed to leads', LEAD, { forLeads: null }],
    ['nobody is subscribed to claims', FILED, { forClaims: null }],
    ['its claim was decided', FILED, { lead: { claim_status: 'approved' } }],
    ['its claim was deleted', FILED, { lead: { claim_id: undefined } }],
    ['its claim has a different decision', DECIDED, approved({ claim_status: 'rejected' })],
    ['its lead belongs to another buyer', DECIDED, approved({ buyer: 99 })],
    ['the lead has no claim', DECIDED, approved({ claim_id: undefined })],
    ['its claim does not exist', DECIDED, { ...approved(), claim: null }],
    ['the buyer of its decision does not exist', DECIDED, { ...approved(), buyer: null }],
    ['the buyer of its decision gets no e-mails', DECIDED, { ...approved(), buyer: { send_email: false } }],
    [
      'the buyer of its decision was deleted',
      DECIDED,
      { ...approved(), buyer: { deleted_at: START.toISOString() } },
    ],
    ['no template exists for its decision', DECIDED, { ...approved(), template: null }],
    ['its code is ten minutes old', link('link_code'), {}, 10],
    ['its order was deleted', link('statement'), { order: null }],
    ['the link of its order is off', link('statement'), { order: { token: '' } }],
    ['its buyer does not exist', link('statement'), { buyer: null }],
    ['its buyer unsubscribed', link('weekly_statement'), {}],
    ['its buyer was deleted', link('order_nearly_full'), { buyer: { deleted_at: START.toISOString() } }],
    ['its erasure does not concern the buyer', ERASURE, { recipient: null }],
    ['its erasure was confirmed', ERASURE, { recipient: { confirmed_at: START.toISOString() } }],
    ['the buyer of its erasure does not exist', ERASURE, { buyer: null }],
    ['no template exists for its erasure', ERASURE, { template: null }],
  ])('is dropped if %s', async (_, message, changes, at = 0) => {
    const { state, handle } = await world(changes);
    expect(await handle(message, at)).toHaveProperty('done_at');
    expect([state.sent, state.notified]).toEqual([[], []]);
  });

  it('is not sent to a closed address if it can be unsubscribed from', async () => {
    const { deps, state, handle } = await world();
    const bounced = {
      id: '1',
      at: '2026-11-19T00:00:00.000Z',
      by: 'ses',
      code: null,
      diagnostic: null,
    } as const;
    const seen = await addressStore.read(deps, aBuyer().buyer_email);
    const address = { events: [{ ...bounced, state: 'bounced_hard' as const }] };
    await addressStore.write(deps, seen, address, START);
    expect(await handle(link('order_nearly_full'))).toHaveProperty('done_at');
    expect(state.sent).toEqual([]);
    await handle(link('link_regenerated'));
    expect(state.sent).toHaveLength(1);
  });

  const TEMPORARY = { push: { outcome: 'temporary', detail: '' } } as const;
  const TRANSIENT = { outcome: 'transient' } as const;
  const LOST = { outcome: 'unknown' } as const;
  it.each<[string, NotifyMessage, { outcome?: Report['outcome']; push?: PushResult }, number, Changes?]>([
    ['a push', LEAD, TEMPORARY, 1],
    ['a push of an alert', alert('push'), TEMPORARY, 1],
    ['an e-mail of an alert', alert('email'), TRANSIENT, 1],
    ['a mail', link('link_regenerated'), TRANSIENT, 1],
    ['an unconfirmed e-mail', link('link_regenerated'), LOST, 60],
    ['an e-mail without a template', link('link_regenerated'), TRANSIENT, 1, { template: null }],
    ['an e-mail about an erasure', ERASURE, TRANSIENT, 1],
  ])('%s that failed temporarily is retried when it is due, and not before', async (...values) => {
    const [, message, failure, minutes, changes] = values;
    const { state, handle } = await world(changes);
    const before = { outcome: state.outcome, push: state.push };
    Object.assign(state, failure);
    expect(await handle(message)).toMatchObject({
      attempt_count: 1,
      next_attempt_at: minute(minutes).toISOString(),
    });
    const failed = state.sent.length;
    Object.assign(state, before);
    expect(await handle(message, minutes - 0.02)).not.toHaveProperty('done_at');
    expect(state.sent).toHaveLength(failed);
    expect(await handle(message, minutes)).toHaveProperty('done_at');
    expect(state.sent).toHaveLength(2 * failed);
  });

  it('waits after an unconfirmed e-mail even if a repeated message arrived while it was sent', async () => {
    const { deps, handle } = await world();
    const message = link('link_regenerated');
    Object.assign(deps, { mail: () => notify(deps, message).then(() => aReport(LOST)) });
    expect(await handle(message)).toMatchObject({ next_attempt_at: minute(60).toISOString() });
  });

  it.each<[NotifyMessage, string]>([
    [LEAD, `"lead" about lead ${LEAD_ID} could`],
    [link('statement'), '"statement" about order 12 could'],
    [alert('email'), '"alert" could'],
  ])('is reported after a day of failures: %o', async (message, text) => {
    const { state, handle } = await world();
    Object.assign(state, { ...TRANSIENT, ...TEMPORARY });
    expect(await handle(message, 24 * 60 - 2)).not.toHaveProperty('done_at');
    expect(state.notified).toEqual([]);
    expect(await handle(message, 24 * 60)).toHaveProperty('done_at');
    expect(state.notified).toEqual([
      `Notification not delivered: The notification ${text} not be sent for a day and is not retried.`,
    ]);
  });

  it('is not retried after its recipient rejects it', async () => {
    const { state, handle } = await world();
    Object.assign(state, { outcome: 'permanent', push: { outcome: 'refused', detail: '' } });
    for (const message of [LEAD, link('statement')]) expect(await handle(message)).toHaveProperty('done_at');
    expect(state.sent).toHaveLength(2);
  });

  it('waits for the end of the month if the application’s quota is used up, and reports that', async () => {
    const { state, handle } = await world();
    state.push = { outcome: 'quota', until: minute(30), detail: '' };
    await handle(LEAD);
    state.push = { outcome: 'sent' };
    await handle({ ...alert('push'), alert: 'b' }, 29);
    expect(state.sent).toEqual(['push leads assigned acme', 'push claims Title']);
    await handle(alert('push'), 30);
    expect(state.sent).toHaveLength(4);
    expect(state.notified).toHaveLength(1);
    expect(state.notified[0]).toContain(`until ${minute(30).toISOString()}`);
  });

  it('is sent by the other credentials if one has unreadable keys', async () => {
    const { deps, state, handle } = await world();
    const decrypt = (text: string) => {
      if (text === 'claims') throw new Error('another key');
      return text;
    };
    Object.assign(deps, { cipher: { decrypt } });
    expect(await handle(alert('push'))).toHaveProperty('done_at');
    expect(state.sent).toEqual(['push leads Title']);
  });

  it('of a decision waits while another worker sends it, and is sent once for each claim', async () => {
    const { deps, table, state, handle } = await world(approved());
    await dedupMarkerStore.reserve(deps, 'decision#5', START, 60);
    expect(await handle(DECIDED)).not.toHaveProperty('done_at');
    await dedupMarkerStore.release(deps, 'decision#5');
    for (let time = 1; time <= 2; time += 1) {
      expect(await handle(DECIDED, time)).toHaveProperty('done_at');
      await table.delete({ delete: keys.notification(`approved#${LEAD_ID}`) });
    }
    expect(state.sent).toEqual(['decision 5']);
  });

  it('is sent once by the reconciliation after a lost message or a dead worker', async () => {
    const { deps, table, state } = await world(approved());
    const created = () => table.put(notificationStore.created(DECIDED, START));
    const queue: Outgoing<NotifyMessage>[] = [];
    const reconcile = async (minutes: number) => {
      state.now = minute(minutes);
      await requeueNotifications({ ...deps, queue: listQueue(queue) });
      for (const { message } of queue.splice(0)) await notify(deps, message);
    };
    await created();
    await reconcile(1);
    expect(state.sent).toEqual([]);
    const died = new Error('killed');
    const dying = { ...deps, mail: () => Promise.reject(died) };
    await expect(notify(dying, DECIDED)).rejects.toBe(died);
    for (let minutes = 3; minutes < 40; minutes += 1) await reconcile(minutes);
    expect(state.sent).toEqual(['decision 5']);
    // The stream repeats its record.
    expect((await created()).ok).toBe(false);
    await reconcile(60);
    expect(state.sent).toHaveLength(1);
  });

  it('of an erasure counts as received once its e-mail was accepted', async () => {
    const { table, state, handle } = await world();
    const recipient = async () => (await erasureStore.recipient({ table }, 'e1', 7))!;
    state.outcome = 'transient';
    await handle(ERASURE);
    expect(await recipient()).not.toHaveProperty('notified_at');
    state.outcome = 'delivered';
    await handle(ERASURE, 1);
    expect(await recipient()).toMatchObject({ notified_at: minute(1).toISOString() });
  });
});

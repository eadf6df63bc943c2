import type { Report } from '#functions/channels/channel';
import type { Push, SendPush } from '#functions/channels/pushover';
import type { Message } from '#functions/channels/smtp';
import type { PushoverCredential } from '#functions/data/administration/settings';
import * as settingStore from '#functions/data/administration/settings-store';
import type { Template } from '#functions/data/administration/template';
import * as templateStore from '#functions/data/administration/template-store';
import type { Buyer } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Claim } from '#functions/data/claims/claim';
import * as claimStore from '#functions/data/claims/claim-store';
import { isClosed } from '#functions/data/deliveries/address';
import type { AddressContext } from '#functions/data/deliveries/address-store';
import * as addressStore from '#functions/data/deliveries/address-store';
import * as dedupMarkerStore from '#functions/data/deliveries/dedup-markers';
import type { Notification } from '#functions/data/deliveries/notification-store';
import * as notificationStore from '#functions/data/deliveries/notification-store';
import * as payloadStore from '#functions/data/deliveries/payloads';
import * as consentStore from '#functions/data/leads/consent';
import { recordOf } from '#functions/data/leads/consent';
import * as consentTextStore from '#functions/data/leads/consent-text-store';
import type { Recipient } from '#functions/data/leads/erasure-store';
import * as erasureStore from '#functions/data/leads/erasure-store';
import type { Lead } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import type { Order } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import { pushText } from '#functions/domain/administration/push-text';
import { earliestAfterUnconfirmed, nextAttemptAt } from '#functions/domain/deliveries/retry-schedule';
import type { Cipher } from '#functions/keys/cipher';
import type { NotifyOperator } from '#functions/operator/operator';
import type { NotifyMessage } from '#functions/queues/messages';
import { type ConsentLink, confirmBy } from '#shared/rules/consent';
import { NOTIFICATION_KINDS, type NotificationKind, type UnsentReason } from '#shared/rules/constants';

type PushContent = Pick<Push, 'title' | 'message'>;

export type PushSubject =
  | { readonly about: 'assigned' | 'ineligible' }
  | { readonly about: 'claim'; readonly claim: Claim | undefined };

type LinkEmail = Extract<NotifyMessage, { order_id: number }>['about'];

export interface NotificationTexts {
  link(about: {
    readonly about: LinkEmail;
    readonly code: string;
    readonly order: Pick<Order, 'token' | 'buyer_order_number' | 'lead_limit' | 'leads_received'>;
    readonly buyer: Pick<Buyer, 'buyer_email'>;
    readonly request: string;
    /** Token of the unsubscribe link, for notifications that a buyer can switch off. */
    readonly unsubscribe: string | undefined;
  }): Message;
  push(
    subject: PushSubject,
    context: {
      readonly lead: Lead;
      readonly buyer: Buyer | undefined;
      readonly template: string;
      readonly at: Date;
    },
  ): PushContent;
  decision(about: {
    readonly claim: Claim;
    readonly lead: Lead;
    readonly buyer: Pick<Buyer, 'buyer_email'>;
    readonly order: Pick<Order, 'token' | 'buyer_type'> | undefined;
    readonly unsubscribe: string;
  }): Message;
  erasure(about: {
    readonly recipient: Recipient;
    readonly buyer: Pick<Buyer, 'buyer_email'>;
    readonly token: string;
    readonly email_number: number;
  }): Message;
  /** @param about the tokens of the person's links, and until when the first can be used */
  confirmation(about: {
    readonly lead_id: string;
    /** Of a repeated e-mail, else empty. */
    readonly request: string;
    readonly to: string;
    readonly wording: string;
    readonly confirm: string;
    readonly withdraw: string;
    readonly by: Date;
  }): Message;
  alert(about: { readonly lines: readonly string[] }): Pick<Message, 'text'>;
}

export interface NotifyContext extends AddressContext {
  readonly alertAddresses: () => Promise<readonly string[]>;
  readonly push: SendPush;
  readonly mail: (template: Template, message: Message) => Promise<Report>;
  readonly cipher: Pick<Cipher, 'decrypt'>;
  readonly linkCode: (orderId: number, request: string) => string;
  readonly personToken: (leadId: string, purpose: ConsentLink) => string;
  /** By the platform's own mail server: alerts, and e-mails to buyers without a template. @returns whether it was accepted */
  readonly platformMail: (
    message: Pick<Message, 'to' | 'subject' | 'text' | 'unsubscribe'>,
  ) => Promise<boolean>;
  readonly unsubscribeToken: (buyer: Pick<Buyer, 'buyer' | 'buyer_email'>, kind: NotificationKind) => string;
  readonly notifyOperator: NotifyOperator;
  readonly reviewClaim: (leadId: string) => Promise<void>;
  readonly texts: NotificationTexts;
}

const PUSH_LEASE_SECONDS = 60;
const EMAIL_LEASE_SECONDS = 180;
const KEPT_SECONDS = 30 * 24 * 3600;
/** Tolerated difference of clocks. */
const MAX_EARLY_MS = 1_000;

type Sending =
  | { readonly over: true; readonly unsent?: UnsentReason }
  | { readonly over: false; readonly notBefore?: Date };
const OVER: Sending = { over: true };
const LATER: Sending = { over: false };

/**
 * Handles one message. Its notice is stored until it was sent, or could not be sent for a day: it is postponed in the table, and the
 * reconciliation queues it again. A repeated message sends nothing twice, unless a worker died between sending and recording, or
 * the answer of the first call was lost.
 * @throws Error if the table did not respond; the message is then received again
 */
export async function notify(deps: NotifyContext, message: NotifyMessage): Promise<void> {
  const { table, runtime } = deps;
  const notification = await notificationStore.get({ table }, message);
  if (notification === undefined || notification.done_at !== undefined) return;
  const due = new Date(notification.next_attempt_at ?? notification.created_at);
  if (due.getTime() > runtime.now().getTime() + MAX_EARLY_MS) return;

  const sending = await send(deps, notification, message);
  const now = runtime.now();
  if (sending.over) return notificationStore.done({ table }, notification, now, sending.unsent);
  const since = new Date(notification.created_at);
  const next = nextAttemptAt(notification.attempt_count + 1, since, now, runtime.random(), sending.notBefore);
  if (next !== null) return notificationStore.postpone({ table }, notification, next);
  await deps.notifyOperator(
    'Notification not delivered',
    `The notification "${message.about}"${aboutWhat(message)} could not be sent for a day and is not retried.`,
  );
  await notificationStore.done({ table }, notification, now, 'given_up');
}

function aboutWhat(message: NotifyMessage): string {
  if ('alert' in message) return '';
  return 'lead_id' in message ? ` about lead ${message.lead_id}` : ` about order ${message.order_id}`;
}

async function send(
  deps: NotifyContext,
  notification: Notification,
  message: NotifyMessage,
): Promise<Sending> {
  if (message.about === 'alert') return sendAlert(deps, notification);
  if (message.about === 'claim_review') {
    await deps.reviewClaim(message.lead_id);
    return OVER;
  }
  if (message.about === 'erasure') return mailErasure(deps, message, notification.attempt_count);
  if ('order_id' in message) return mailLink(deps, notification, message);
  const lead = await leadStore.get(deps, message.lead_id);
  if (lead === undefined) return OVER;
  switch (message.about) {
    case 'lead':
      return pushLead(deps, lead, message.status);
    case 'claim_filed':
      return pushClaim(deps, lead);
    case 'confirm_consent':
      return mailConfirmation(deps, lead, notification);
    case 'claim_decided':
      return mailDecision(deps, lead, message.status, notification.attempt_count);
  }
}

async function pushLead(
  deps: NotifyContext,
  lead: Lead,
  status: 'assigned' | 'ineligible',
): Promise<Sending> {
  // The lead may have changed since; an outdated notification is not sent.
  if (lead.status !== (status === 'assigned' ? 'assigned' : 'pending')) return OVER;
  const credentials = await asking(deps, 'notify_lead_assignment');
  if (credentials.length === 0) return OVER;
  const content = await pushContent(deps, lead, { about: status });
  return pushAll(deps, credentials, `${status}#${lead.lead_id}`, content);
}

async function pushClaim(deps: NotifyContext, lead: Lead): Promise<Sending> {
  if (lead.claim_id === undefined || lead.claim_status !== 'pending') return OVER;
  const credentials = await asking(deps, 'notify_lead_claims');
  if (credentials.length === 0) return OVER;
  const claim = await claimStore.get(deps, lead.claim_id);
  const content = await pushContent(deps, lead, { about: 'claim', claim });
  return pushAll(deps, credentials, `claim#${lead.claim_id}`, content);
}

async function asking(
  deps: NotifyContext,
  flag: 'notify_lead_assignment' | 'notify_lead_claims',
): Promise<PushoverCredential[]> {
  return (await settingStore.credentials(deps)).filter((credential) => credential[flag]);
}

async function pushContent(deps: NotifyContext, lead: Lead, subject: PushSubject): Promise<PushContent> {
  const buyerNumber = lead.buyer ?? lead.intended_buyer;
  const [template, buyer] = await Promise.all([
    pushText(deps),
    buyerNumber === undefined ? undefined : buyerStore.get(deps, buyerNumber),
  ]);
  return deps.texts.push(subject, { lead, buyer, template, at: deps.runtime.now() });
}

/** Sequential, because Pushover asks for few connections. Only temporary failures are retried. */
async function pushAll(
  deps: NotifyContext,
  credentials: readonly PushoverCredential[],
  what: string,
  content: PushContent,
): Promise<Sending> {
  let later = false;
  for (const credential of credentials) {
    const marker = `push#${what}#${credential.id}`;
    if (await dedupMarkerStore.isSet(deps, quotaMarker(credential), deps.runtime.now())) continue;
    const { over } = await once(deps, marker, PUSH_LEASE_SECONDS, async () => {
      const outcome = await pushOne(deps, credential, content);
      deps.runtime.log.info('push', { credential: credential.id, outcome });
      return outcome === 'temporary' ? LATER : OVER;
    });
    later ||= !over;
  }
  return later ? LATER : OVER;
}

async function pushOne(
  deps: NotifyContext,
  credential: PushoverCredential,
  content: PushContent,
): Promise<'sent' | 'refused' | 'quota' | 'temporary'> {
  const keys = readKeys(deps, credential);
  if (keys === undefined) return 'refused';
  const result = await deps.push({ ...keys, ...content });
  if (result.outcome === 'quota') {
    const now = deps.runtime.now();
    const seconds = Math.ceil((result.until.getTime() - now.getTime()) / 1000);
    await dedupMarkerStore.confirm(deps, quotaMarker(credential), now, seconds);
    await deps.notifyOperator(
      'Pushover quota used up',
      `The Pushover application of credential ${credential.id} has used its quota until ${result.until.toISOString()}. No push messages are sent until then.`,
    );
  }
  return result.outcome;
}

function readKeys(
  deps: NotifyContext,
  credential: PushoverCredential,
): Pick<Push, 'token' | 'user'> | undefined {
  try {
    const { cipher } = deps;
    return { token: cipher.decrypt(credential.app_key), user: cipher.decrypt(credential.user_key) };
  } catch {
    deps.runtime.log.error('push credential cannot be read', { credential: credential.id });
    return undefined;
  }
}

/** Pushover's quota applies to an application. Credentials are encrypted, so those of the same application have separate markers. */
function quotaMarker(credential: PushoverCredential): string {
  return `quota#${credential.id}`;
}

async function sendAlert(
  deps: NotifyContext,
  { alert, medium, title = '', lines = [] }: Notification,
): Promise<Sending> {
  const { runtime } = deps;
  if (medium === 'push') {
    const content = { title, message: lines.join('\n') };
    return pushAll(deps, await settingStore.credentials(deps), `alert#${alert}`, content);
  }
  const addresses = await deps.alertAddresses();
  if (addresses.length === 0) runtime.log.warn('operator has no address', { subject: title });
  let later = false;
  for (const to of addresses) {
    const marker = `alert#${alert}#${to}`;
    const { over } = await once(deps, marker, EMAIL_LEASE_SECONDS, async () => {
      const { text } = deps.texts.alert({ lines });
      return (await deps.platformMail({ to, subject: title, text })) ? OVER : LATER;
    });
    later ||= !over;
  }
  return later ? LATER : OVER;
}

const CODE_WAITED_FOR_MS = 10 * 60_000;

async function mailLink(
  deps: NotifyContext,
  notification: Notification,
  { about, order_id, request }: Extract<NotifyMessage, { order_id: number }>,
): Promise<Sending> {
  const { runtime } = deps;
  const isCode = about === 'link_code';
  if (isCode && runtime.now().getTime() - Date.parse(notification.created_at) >= CODE_WAITED_FOR_MS)
    return OVER;
  const order = await orderStore.get(deps, order_id);
  const buyer = order && (await buyerStore.get(deps, order.buyer));
  if (order === undefined || order.token === '' || buyer === undefined) return OVER;
  const kind = NOTIFICATION_KINDS.find((one) => one === about);
  if (kind !== undefined && !(await wants(deps, buyer, kind))) return OVER;
  const template = await payloadStore.templateOf(deps, buyer, 'email', 'original');

  return mailOnce(deps, `${about}#${order_id}#${request}`, notification.attempt_count, async () => {
    const code = isCode ? deps.linkCode(order_id, request) : '';
    const unsubscribe = kind && deps.unsubscribeToken(buyer, kind);
    const message = deps.texts.link({ about, code, order, buyer, request, unsubscribe });
    const mailed = async () => ((await deps.platformMail(message)) ? 'delivered' : 'transient');
    const outcome = template === null ? await mailed() : (await deps.mail(template, message)).outcome;
    runtime.log.info('link e-mail sent', { order: order_id, about, outcome });
    return outcome;
  });
}

/** By the buyer's e-mail template, and only if its e-mail channel is on. @param postponed how often it was postponed before */
async function mailDecision(
  deps: NotifyContext,
  lead: Lead,
  status: 'approved' | 'rejected',
  postponed: number,
): Promise<Sending> {
  if (lead.buyer === undefined || lead.claim_id === undefined || lead.claim_status !== status) return OVER;
  const buyer = await buyerStore.get(deps, lead.buyer);
  if (buyer === undefined || !buyer.send_email) return OVER;
  if (!(await wants(deps, buyer, 'claim_decided'))) return OVER;
  const [template, claim] = await Promise.all([
    payloadStore.templateOf(deps, buyer, 'email', 'original'),
    claimStore.get(deps, lead.claim_id),
  ]);
  if (template === null || claim === undefined) return OVER;
  const order = await orderStore.get(deps, claim.order_id);

  const again = claim.reversed_at === undefined ? '' : '#reversed';
  return mailOnce(deps, `decision#${claim.claim_id}${again}`, postponed, async () => {
    const unsubscribe = deps.unsubscribeToken(buyer, 'claim_decided');
    const message = deps.texts.decision({ claim, lead, buyer, order, unsubscribe });
    const report = await deps.mail(template, message);
    deps.runtime.log.info('decision mailed', { claim: claim.claim_id, outcome: report.outcome });
    return report.outcome;
  });
}

/** Checked when sending: the buyer may have unsubscribed, or the address may have been removed. */
async function wants(deps: NotifyContext, buyer: Buyer, kind: NotificationKind): Promise<boolean> {
  if (buyer.deleted_at !== null || !buyer[`notify_${kind}`]) return false;
  const state = await addressStore.addressState(deps, buyer.buyer_email);
  if (!isClosed(state)) return true;
  deps.runtime.log.warn('notification not sent', { buyer: buyer.buyer, kind, address: state?.state });
  return false;
}

/** Uses the buyer's template or any other, because buyers that receive leads by API must also be notified. */
async function mailErasure(
  deps: NotifyContext,
  { erasure, buyer: number, email_number }: Extract<NotifyMessage, { about: 'erasure' }>,
  postponed: number,
): Promise<Sending> {
  const [recipient, buyer] = await Promise.all([
    erasureStore.recipient(deps, erasure, number),
    buyerStore.get(deps, number),
  ]);
  if (recipient === undefined || recipient.confirmed_at !== undefined || buyer === undefined) return OVER;
  const own = await payloadStore.templateOf(deps, buyer, 'email', 'original');
  const template = own ?? (await templateStore.all(deps))[0];
  if (template === undefined) return OVER;
  return mailOnce(deps, `erasure#${erasure}#${number}#${email_number}`, postponed, async () => {
    const token = deps.runtime.newToken();
    await erasureStore.tokenMade(deps, token, recipient, deps.runtime.now());
    const report = await deps.mail(template, deps.texts.erasure({ recipient, buyer, token, email_number }));
    deps.runtime.log.info('erasure mailed', { erasure, buyer: number, outcome: report.outcome });
    if (report.outcome === 'delivered') await erasureStore.notified(deps, recipient, deps.runtime.now());
    return report.outcome;
  });
}

/**
 * To the person of a lead. Without the name, because anybody could have entered one, or have it sent to another person. By any
 * template, because the lead has no buyer.
 */
async function mailConfirmation(
  deps: NotifyContext,
  lead: Lead,
  { attempt_count: postponed, request = '' }: Notification,
): Promise<Sending> {
  const { lead_id: leadId, received_at, unconfirmed } = lead;
  const by = confirmBy(received_at);
  if (unconfirmed !== true || lead.status !== 'pending' || deps.runtime.now() > by) return OVER;
  const [item, [template]] = await Promise.all([consentStore.get(deps, leadId), templateStore.all(deps)]);
  const record = recordOf(item);
  // Its record is stored when the source repeats the call; or somebody has deleted the last template.
  if (record === undefined || template === undefined) return LATER;
  const to = record.person.email;
  if (isClosed(await addressStore.addressState(deps, to))) return { over: true, unsent: 'address_closed' };
  const wording = (await consentTextStore.get(deps, record.consent.text)) ?? '';
  return mailOnce(deps, `confirm_consent#${leadId}${request}`, postponed, async () => {
    const confirm = deps.personToken(leadId, 'confirm');
    const withdraw = deps.personToken(leadId, 'withdraw');
    const message = deps.texts.confirmation({ lead_id: leadId, request, to, wording, confirm, withdraw, by });
    const { outcome } = await deps.mail(template, message);
    deps.runtime.log.info('confirmation of consent mailed', { lead: leadId, outcome });
    return outcome;
  });
}

async function mailOnce(
  deps: NotifyContext,
  marker: string,
  postponed: number,
  mail: () => Promise<Report['outcome']>,
): Promise<Sending> {
  return once(deps, marker, EMAIL_LEASE_SECONDS, async () => {
    const outcome = await mail();
    if (outcome === 'unknown')
      return { over: false, notBefore: earliestAfterUnconfirmed(deps.runtime.now(), postponed) };
    if (outcome === 'permanent') return { over: true, unsent: 'refused' };
    return outcome === 'transient' ? LATER : OVER;
  });
}

/** Sends unless the marker says that it was sent, or that another worker is sending. */
async function once(
  deps: NotifyContext,
  marker: string,
  leaseSeconds: number,
  sendIt: () => Promise<Sending>,
): Promise<Sending> {
  const reserved = await dedupMarkerStore.reserve(deps, marker, deps.runtime.now(), leaseSeconds);
  if (reserved !== 'taken') return reserved === 'sent' ? OVER : LATER;
  const sending = await sendIt();
  if (sending.over) await dedupMarkerStore.confirm(deps, marker, deps.runtime.now(), KEPT_SECONDS);
  else await dedupMarkerStore.release(deps, marker);
  return sending;
}

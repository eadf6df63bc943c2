/** Notifies admins by push of leads and claims, and a buyer by e-mail of a decided claim. */
import type { Report } from '#functions/channels/channel';
import type { Push, SendPush } from '#functions/channels/pushover';
import type { Message } from '#functions/channels/smtp';
import type { PushoverCredential } from '#functions/data/administration/settings';
import type { SettingStore } from '#functions/data/administration/settings-store';
import type { Template } from '#functions/data/administration/template';
import type { Buyer } from '#functions/data/buyers/buyer';
import type { Claim } from '#functions/data/claims/claim';
import type { DedupMarkers } from '#functions/data/deliveries/dedup-markers';
import type { PayloadLoader } from '#functions/data/deliveries/payloads';
import type { Lead } from '#functions/data/leads/lead';
import type { Order } from '#functions/data/orders/order';
import { pushText } from '#functions/domain/administration/push-text';
import type { Cipher } from '#functions/keys/cipher';
import type { TellOperator } from '#functions/operator/operator';
import type { NotifyMessage } from '#functions/queues/messages';
import type { Runtime } from '#functions/runtime';

type PushContent = Pick<Push, 'title' | 'message'>;

/** What a push is about. */
export type PushSubject =
  | { readonly about: 'assigned' | 'ineligible' }
  | { readonly about: 'claim'; readonly claim: Claim | undefined };

/** The texts of notifications. */
export interface NotificationTexts {
  /** @param template the text with macros @param at the instant of the notification */
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
  }): Message;
}

export interface NotifyDeps {
  readonly leads: { get(leadId: string): Promise<Lead | undefined> };
  readonly buyers: { get(buyer: number): Promise<Buyer | undefined> };
  readonly claims: { get(claim: number): Promise<Claim | undefined> };
  readonly orders: { get(order: number): Promise<Order | undefined> };
  readonly settings: Pick<SettingStore, 'credentials' | 'pushText'>;
  readonly payloads: Pick<PayloadLoader, 'templateOf'>;
  readonly dedupMarkers: DedupMarkers;
  readonly push: SendPush;
  readonly mail: (template: Template, message: Message) => Promise<Report>;
  readonly cipher: Pick<Cipher, 'decrypt'>;
  readonly tellOperator: TellOperator;
  readonly texts: NotificationTexts;
  readonly runtime: Runtime;
}

/** How long a dedup marker reserves a notification for one worker, and how long it is kept once it was sent. */
const LEASE_SECONDS = 60;
const KEPT_SECONDS = 30 * 24 * 3600;

/** A notification could not be sent now; its message is received again later. */
export class TryAgain extends Error {
  override readonly name = 'TryAgain';
}

/**
 * Handles one message. A repeated message sends nothing twice, except when the response to the first call was lost.
 * @throws TryAgain when the message should be received again
 */
export async function notify(deps: NotifyDeps, message: NotifyMessage): Promise<void> {
  const lead = await deps.leads.get(message.lead_id);
  if (lead === undefined) return;
  switch (message.about) {
    case 'lead':
      return pushLead(deps, lead, message.status);
    case 'claim_filed':
      return pushClaim(deps, lead);
    case 'claim_decided':
      return mailDecision(deps, lead, message.status);
  }
}

async function pushLead(deps: NotifyDeps, lead: Lead, status: 'assigned' | 'ineligible'): Promise<void> {
  // The lead may have changed since; an outdated notification is not sent.
  if (lead.status !== (status === 'assigned' ? 'assigned' : 'pending')) return;
  const credentials = await asking(deps, 'notify_lead_assignment');
  if (credentials.length === 0) return;
  await pushAll(
    deps,
    credentials,
    `${status}#${lead.lead_id}`,
    await pushContent(deps, lead, { about: status }),
  );
}

async function pushClaim(deps: NotifyDeps, lead: Lead): Promise<void> {
  if (lead.claim_id === undefined || lead.claim_status !== 'pending') return;
  const credentials = await asking(deps, 'notify_lead_claims');
  if (credentials.length === 0) return;
  const claim = await deps.claims.get(lead.claim_id);
  const content = await pushContent(deps, lead, { about: 'claim', claim });
  await pushAll(deps, credentials, `claim#${lead.claim_id}`, content);
}

async function asking(
  deps: NotifyDeps,
  flag: 'notify_lead_assignment' | 'notify_lead_claims',
): Promise<PushoverCredential[]> {
  return (await deps.settings.credentials()).filter((credential) => credential[flag]);
}

async function pushContent(deps: NotifyDeps, lead: Lead, subject: PushSubject): Promise<PushContent> {
  const buyerNumber = lead.buyer ?? lead.intended_buyer;
  const [template, buyer] = await Promise.all([
    pushText(deps),
    buyerNumber === undefined ? undefined : deps.buyers.get(buyerNumber),
  ]);
  return deps.texts.push(subject, { lead, buyer, template, at: deps.runtime.now() });
}

/** One after another: Pushover asks for few connections. Only temporary failures are repeated. */
async function pushAll(
  deps: NotifyDeps,
  credentials: readonly PushoverCredential[],
  what: string,
  content: PushContent,
): Promise<void> {
  let again = false;
  for (const credential of credentials) {
    const marker = `push#${what}#${credential.id}`;
    if (await deps.dedupMarkers.isSet(quotaMarker(credential), deps.runtime.now())) continue;
    if (!(await deps.dedupMarkers.take(marker, deps.runtime.now(), LEASE_SECONDS))) continue;
    const result = await pushOne(deps, credential, content);
    deps.runtime.log.info('push', { credential: credential.id, outcome: result });
    if (result === 'temporary') {
      again = true;
      await deps.dedupMarkers.release(marker);
    } else await deps.dedupMarkers.confirm(marker, deps.runtime.now(), KEPT_SECONDS);
  }
  if (again) throw new TryAgain('Pushover had no time');
}

async function pushOne(
  deps: NotifyDeps,
  credential: PushoverCredential,
  content: PushContent,
): Promise<'sent' | 'refused' | 'quota' | 'temporary'> {
  const keys = readKeys(deps, credential);
  if (keys === undefined) return 'refused';
  const result = await deps.push({ ...keys, ...content });
  if (result.outcome === 'quota') {
    const now = deps.runtime.now();
    const seconds = Math.ceil((result.until.getTime() - now.getTime()) / 1000);
    await deps.dedupMarkers.confirm(quotaMarker(credential), now, seconds);
    await deps.tellOperator(
      'Pushover quota used up',
      `The Pushover application of credential ${credential.id} has used up its messages until ${result.until.toISOString()}. Pushes are left out until then.`,
    );
  }
  return result.outcome;
}

function readKeys(
  deps: NotifyDeps,
  credential: PushoverCredential,
): Pick<Push, 'token' | 'user'> | undefined {
  try {
    return {
      token: deps.cipher.decrypt(credential.app_key),
      user: deps.cipher.decrypt(credential.user_key),
    };
  } catch {
    deps.runtime.log.error('push credential cannot be read', { credential: credential.id });
    return undefined;
  }
}

/** Pushover counts per application, markers are per credential: each credential of one application finds out itself. */
function quotaMarker(credential: PushoverCredential): string {
  return `quota#${credential.id}`;
}

/** Sent by the mail server of the buyer's e-mail template, and only if the buyer's e-mail channel is on. */
async function mailDecision(deps: NotifyDeps, lead: Lead, status: 'approved' | 'rejected'): Promise<void> {
  if (lead.buyer === undefined || lead.claim_id === undefined || lead.claim_status !== status) return;
  const buyer = await deps.buyers.get(lead.buyer);
  if (buyer === undefined || !buyer.send_email || buyer.deleted_at !== null) return;
  const [template, claim] = await Promise.all([
    deps.payloads.templateOf(buyer, 'email', 'original'),
    deps.claims.get(lead.claim_id),
  ]);
  if (template === null || claim === undefined) return;
  const order = await deps.orders.get(claim.order_id);

  const marker = `decision#${claim.claim_id}`;
  if (!(await deps.dedupMarkers.take(marker, deps.runtime.now(), LEASE_SECONDS))) return;
  const report = await deps.mail(template, deps.texts.decision({ claim, lead, buyer, order }));
  deps.runtime.log.info('decision mailed', { claim: claim.claim_id, outcome: report.outcome });
  // An unknown outcome is not repeated: a second e-mail is worse than none, as the list shows the decision anyway.
  if (report.outcome === 'transient') {
    await deps.dedupMarkers.release(marker);
    throw new TryAgain('The mail server had no time');
  }
  await deps.dedupMarkers.confirm(marker, deps.runtime.now(), KEPT_SECONDS);
}

/** Tells people what happened: admins by push, a buyer by e-mail when its claim was decided. */
import type { Report } from '#functions/channels/channel';
import { type Push, type SendPush, shorten } from '#functions/channels/pushover';
import type { Message } from '#functions/channels/smtp';
import { readableAmount } from '#functions/channels/values';
import type { SettingStore } from '#functions/data/administration/settings-store';
import type { PushoverCredential, Template } from '#functions/data/administration/template';
import type { Buyer } from '#functions/data/buyers/buyer';
import type { Claim } from '#functions/data/claims/claim';
import type { DedupMarkers } from '#functions/data/deliveries/dedup-markers';
import type { PayloadLoader } from '#functions/data/deliveries/payloads';
import { displayId, type Lead } from '#functions/data/leads/lead';
import type { Order } from '#functions/data/orders/order';
import { leadsLink } from '#functions/domain/common/rows';
import type { Cipher } from '#functions/keys/cipher';
import type { TellOperator } from '#functions/operator/operator';
import type { NotifyMessage } from '#functions/queues/messages';
import type { Runtime } from '#functions/runtime';
import { formatDateTime } from '#shared/rules/formats';
import { fillMacros, type PUSH_MACROS } from '#shared/rules/macros';
import { pendingReasonText } from '#shared/rules/reasons';

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
  readonly publicBaseUrl: string;
  readonly runtime: Runtime;
}

/** What is pushed until an admin has written a text. */
export const DEFAULT_PUSH_TEXT = [
  'Lead $$status$$: $$anrede$$ $$vorname$$ $$nachname$$',
  'E-Mail: $$email$$',
  'Telefon: $$telefon$$',
  'Anlagebetrag: $$anlagebetrag$$ €',
  'Quelle: $$src$$',
  'Buyer: $$buyer_id$$ ($$buyer_email$$)',
  '$$date$$',
].join('\n');

/** Seconds that a notice is in one worker's hands, and that it is remembered once it was given. */
const LEASE = 60;
const REMEMBERED = 30 * 24 * 3600;

/** A notice that could not be given now; the message comes back later. */
export class TryAgain extends Error {
  override readonly name = 'TryAgain';
}

/**
 * Handles one message. Repeating it gives no notice twice, but for one whose answer was lost.
 * @throws TryAgain when the message should come back
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
  // Things may have moved on; what is no longer so is not told.
  if (lead.status !== (status === 'assigned' ? 'assigned' : 'pending')) return;
  const credentials = await asking(deps, 'notify_lead_assignment');
  if (credentials.length === 0) return;
  const title =
    status === 'assigned'
      ? `Lead ${numberOf(lead)} assigned`
      : `Lead ineligible${lead.reason === undefined ? '' : `: ${pendingReasonText(lead.reason)}`}`;
  await pushAll(deps, credentials, `${status}#${lead.lead_id}`, title, await fill(deps, lead, status));
}

async function pushClaim(deps: NotifyDeps, lead: Lead): Promise<void> {
  if (lead.claim_id === undefined || lead.claim_status !== 'pending') return;
  const credentials = await asking(deps, 'notify_lead_claims');
  if (credentials.length === 0) return;
  const claim = await deps.claims.get(lead.claim_id);
  const text = `${claim?.claim_reason ?? ''}\n${await fill(deps, lead, 'claimed')}`;
  await pushAll(
    deps,
    credentials,
    `claim#${lead.claim_id}`,
    `New claim #${lead.claim_id} for lead ${numberOf(lead)}`,
    text,
  );
}

async function asking(
  deps: NotifyDeps,
  flag: 'notify_lead_assignment' | 'notify_lead_claims',
): Promise<PushoverCredential[]> {
  return (await deps.settings.credentials()).filter((credential) => credential[flag]);
}

async function fill(deps: NotifyDeps, lead: Lead, status: string): Promise<string> {
  const buyerNumber = lead.buyer ?? lead.intended_buyer;
  const [text, buyer] = await Promise.all([
    deps.settings.pushText(),
    buyerNumber === undefined ? undefined : deps.buyers.get(buyerNumber),
  ]);
  const values: Record<(typeof PUSH_MACROS)[number], string> = {
    status,
    anrede: lead.anrede,
    vorname: lead.vorname,
    nachname: lead.nachname,
    email: lead.email,
    telefon: lead.telefon,
    anlagebetrag: readableAmount(lead.anlagebetrag),
    src: lead.src ?? '',
    buyer_id: buyer?.buyer_id ?? '',
    buyer_email: buyer?.buyer_email ?? '',
    date: formatDateTime(deps.runtime.now()),
  };
  return fillMacros(text ?? DEFAULT_PUSH_TEXT, values);
}

/** One after another: Pushover asks for few connections. Those that failed for a moment come back, the others not. */
async function pushAll(
  deps: NotifyDeps,
  credentials: readonly PushoverCredential[],
  what: string,
  title: string,
  text: string,
): Promise<void> {
  let again = false;
  for (const credential of credentials) {
    const marker = `push#${what}#${credential.id}`;
    if (await deps.dedupMarkers.isSet(quotaMarker(credential), deps.runtime.now())) continue;
    if (!(await deps.dedupMarkers.take(marker, deps.runtime.now(), LEASE))) continue;
    const result = await pushOne(deps, credential, { title, message: text });
    deps.runtime.log.info('push', { credential: credential.id, outcome: result });
    if (result === 'temporary') {
      again = true;
      await deps.dedupMarkers.release(marker);
    } else await deps.dedupMarkers.confirm(marker, deps.runtime.now(), REMEMBERED);
  }
  if (again) throw new TryAgain('Pushover had no time');
}

async function pushOne(
  deps: NotifyDeps,
  credential: PushoverCredential,
  text: Pick<Push, 'title' | 'message'>,
): Promise<'sent' | 'refused' | 'quota' | 'temporary'> {
  const keys = readKeys(deps, credential);
  if (keys === undefined) return 'refused';
  const result = await deps.push({ ...keys, ...text });
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

/** Pushover counts per application; two credentials of one application find out one after the other. */
function quotaMarker(credential: PushoverCredential): string {
  return `quota#${credential.id}`;
}

/** By the server of the buyer's own e-mail template, and only where the buyer gets e-mail at all. */
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
  if (!(await deps.dedupMarkers.take(marker, deps.runtime.now(), LEASE))) return;
  const report = await deps.mail(
    template,
    decisionMessage({ claim, lead, buyer, order, publicBaseUrl: deps.publicBaseUrl }),
  );
  deps.runtime.log.info('decision mailed', { claim: claim.claim_id, outcome: report.outcome });
  // An unknown outcome is not repeated: a second letter is worse here than none, the list shows the decision anyway.
  if (report.outcome === 'transient') {
    await deps.dedupMarkers.release(marker);
    throw new TryAgain('The mail server had no time');
  }
  await deps.dedupMarkers.confirm(marker, deps.runtime.now(), REMEMBERED);
}

const NOTES_CHARACTERS = 2000;

/** The built-in German text. */
export function decisionMessage(about: {
  readonly claim: Claim;
  readonly lead: Lead;
  readonly buyer: Pick<Buyer, 'buyer_email'>;
  readonly order: Pick<Order, 'token' | 'buyer_type'> | undefined;
  readonly publicBaseUrl: string;
}): Message {
  const { claim, lead, order } = about;
  const approved = claim.claim_status === 'approved';
  const decision = approved ? 'genehmigt' : 'abgelehnt';
  const replaced = approved && order?.buyer_type === 'prepay';
  return {
    to: about.buyer.buyer_email,
    subject: `Reklamation #${claim.claim_id} ${decision}`,
    text: [
      'Guten Tag,',
      '',
      `Ihre Reklamation #${claim.claim_id} zum Lead ${numberOf(lead)} wurde ${decision}.`,
      '',
      `Reklamationsgrund: ${claim.claim_reason}`,
      ...(claim.admin_notes ? [`Anmerkung: ${shorten(claim.admin_notes, NOTES_CHARACTERS)}`] : []),
      ...(replaced ? ['', 'Sie erhalten dafür einen Ersatzlead.'] : []),
      ...(order === undefined ? [] : ['', `Ihre Lead-Liste: ${leadsLink(about.publicBaseUrl, order.token)}`]),
      '',
    ].join('\n'),
    messageId: `claim-${claim.claim_id}.${lead.lead_id}`,
  };
}

function numberOf(lead: Pick<Lead, 'order_id' | 'sequence' | 'lead_id'>): string {
  return lead.order_id === undefined || lead.sequence === undefined
    ? lead.lead_id
    : displayId({ order_id: lead.order_id, sequence: lead.sequence });
}

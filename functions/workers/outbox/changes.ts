/** Which messages and notifications a change of an item causes. Pure. */
import type { AttributeValue } from 'aws-lambda';
import type { SourceEvent } from '#functions/data/sources/callback';
import type { InstallationEvent } from '#functions/data/webhooks/webhook-call';
import {
  type CallbackMessage,
  callbackMessage,
  type DeliverMessage,
  deliverMessage,
  type NotifyMessage,
  notifyMessage,
  type RedistributeMessage,
  redistributeMessage,
} from '#functions/queues/messages';
import { type CallbackEvent, FEEDBACKS, LEAD_TYPES, PENDING_REASONS } from '#shared/rules/constants';

export type Image = Readonly<Record<string, AttributeValue>>;

export interface Messages {
  readonly deliver: readonly DeliverMessage[];
  readonly notify: readonly NotifyMessage[];
  readonly callback: readonly CallbackMessage[];
  readonly redistribute: readonly RedistributeMessage[];
}

/** A push becomes a stored notification, whose own change then causes the message. */
export type PushSubject = Extract<NotifyMessage, { about: 'lead' | 'claim_filed' | 'confirm_consent' }>;

const NOTHING: Messages = { deliver: [], notify: [], callback: [], redistribute: [] };

/** @param before undefined for a new item @param after undefined for a removed one */
export function messagesOf(before: Image | undefined, after: Image | undefined): Messages {
  if (after === undefined) return NOTHING;
  const sk = text(after, 'sk') ?? '';
  if (sk.startsWith('DELIVERY#')) return ofDelivery(before, after);
  if (sk === 'NOTIFICATION') return ofNotification(before, after);
  if (sk.startsWith('CALLBACK#')) return ofCallback(before, after);
  if (sk.startsWith('ENTRY#')) return ofPoolEntry(before, after);
  if (sk === 'LEAD') return ofLead(before, after);
  return NOTHING;
}

/** A new delivery or callback, or a new series after "Resend". */
function isNewSeries(before: Image | undefined, after: Image): boolean {
  const isStarted = before === undefined || number(after, 'series') !== number(before, 'series');
  return isStarted && text(after, 'status') === 'pending';
}

function ofDelivery(before: Image | undefined, after: Image): Messages {
  const message = isNewSeries(before, after) ? deliverMessage.safeParse(scalars(after)).data : undefined;
  return message === undefined ? NOTHING : { ...NOTHING, deliver: [message] };
}

function ofCallback(before: Image | undefined, after: Image): Messages {
  const message = isNewSeries(before, after) ? callbackMessage.safeParse(scalars(after)).data : undefined;
  return message === undefined ? NOTHING : { ...NOTHING, callback: [message] };
}

/** A new one, or one that is repeated after it was done. */
function ofNotification(before: Image | undefined, after: Image): Messages {
  const isStarted = before === undefined || (before.done_at !== undefined && after.done_at === undefined);
  const message = isStarted ? notifyMessage.safeParse(scalars(after)).data : undefined;
  return message === undefined ? NOTHING : { ...NOTHING, notify: [message] };
}

/** A lead that its buyer refused left its order, or its person has confirmed the consent: it is distributed. */
function ofLead(before: Image | undefined, after: Image): Messages {
  const isRefused = text(before, 'status') === 'assigned';
  const isConfirmed = before?.unconfirmed !== undefined && after.unconfirmed === undefined;
  if (!(isRefused || isConfirmed) || text(after, 'status') !== 'received') return NOTHING;
  const buyer = number(before, 'buyer') ?? 0;
  const message = redistributeMessage.safeParse({ buyer, reassigned: scalars(after) });
  return message.success ? { ...NOTHING, redistribute: [message.data] } : NOTHING;
}

export function pushesOf(before: Image | undefined, after: Image | undefined): PushSubject[] {
  const lead_id = text(after, 'lead_id');
  if (text(after, 'sk') !== 'LEAD' || lead_id === undefined) return [];
  const pushes: PushSubject[] = [];
  const status = text(after, 'status');
  if (status !== text(before, 'status')) {
    if (status === 'assigned') pushes.push({ about: 'lead', lead_id, status: 'assigned' });
    // A lead that becomes pending again causes no second one: a lead has one notification of each kind.
    if (status === 'pending')
      pushes.push(
        reasonOf(after) === 'consent_unconfirmed'
          ? { about: 'confirm_consent', lead_id }
          : { about: 'lead', lead_id, status: 'ineligible' },
      );
  }
  if (isClaimFiled(before, after)) pushes.push({ about: 'claim_filed', lead_id });
  return pushes;
}

/** @param atSeconds since 1970 */
export function sourceEventOf(
  before: Image | undefined,
  after: Image | undefined,
  atSeconds: number | undefined,
): SourceEvent | undefined {
  const [lead_id, received_at] = [text(after, 'lead_id'), text(after, 'received_at')];
  const [source, attempt] = [number(after, 'source'), number(after, 'distribution_attempt')];
  if (text(after, 'sk') !== 'LEAD' || source === undefined || attempt === undefined) return undefined;
  const event = eventOf(before, after);
  if (event === undefined || lead_id === undefined || received_at === undefined) return undefined;
  // A discarded lead has lost the source's IDs; those of an erased person must not be stored again.
  const known = event === 'lead.discarded' && text(after, 'erased_at') === undefined ? before : after;
  const reason = event === 'lead.pending' ? reasonOf(after) : undefined;
  const buyer = number(after, 'buyer');
  const said = event === 'lead.feedback' ? feedbackIn(after) : undefined;
  const anlagebetrag = text(after, 'erased_at') === undefined ? number(after, 'anlagebetrag') : undefined;
  const [external_id, clickId] = [text(known, 'external_id'), text(known, 'clickId')];
  // Refused, and not pending since.
  const wasReassigned = before?.refused_by !== undefined && text(before, 'reason') === undefined;
  return {
    lead_id,
    source,
    event,
    distribution_attempt: attempt,
    received_at,
    ...(reason !== undefined && { reason }),
    ...(buyer !== undefined && { buyer }),
    ...said,
    ...(anlagebetrag !== undefined && { anlagebetrag }),
    ...(external_id !== undefined && { external_id }),
    ...(clickId !== undefined && { clickId }),
    ...(event === 'lead.assigned' && wasReassigned && { ofBuyersOnly: true }),
    // Entries within a second keep their order.
    ...(atSeconds !== undefined && { occurredAtSeconds: atSeconds + (said?.entry ?? 0) / 1000 }),
  };
}

/** @param at when the item changed */
export function installationEventOf(
  before: Image | undefined,
  after: Image | undefined,
  at: Date,
): InstallationEvent | undefined {
  const [buyer, order_id] = [number(after, 'buyer'), number(after, 'order_id')];
  if (after === undefined || buyer === undefined || order_id === undefined) return undefined;
  const [occurred_at, sk] = [at.toISOString(), text(after, 'sk') ?? ''];
  if (sk.startsWith('ENTRY#'))
    return becameFull(before, after) ? { event: 'order.full', occurred_at, buyer, order_id } : undefined;
  const lead_id = text(after, 'lead_id');
  if (sk !== 'LEAD' || lead_id === undefined) return undefined;
  const source = number(after, 'source');
  const about = { buyer, order_id, lead_id, ...(source !== undefined && { source }) };
  const [attempt, claim_id] = [number(after, 'distribution_attempt'), number(after, 'claim_id')];
  if (text(after, 'status') === 'assigned' && text(before, 'status') !== 'assigned')
    return {
      event: 'lead.assigned',
      occurred_at: text(after, 'assigned_at') ?? occurred_at,
      ...about,
      lead_type: LEAD_TYPES.find((type) => type === text(after, 'lead_type')),
      distribution_attempt: attempt,
    };
  return claim_id !== undefined && isClaimFiled(before, after)
    ? { event: 'claim.filed', occurred_at, ...about, claim_id }
    : undefined;
}

const isClaimFiled = (before: Image | undefined, after: Image | undefined) =>
  text(after, 'claim_status') === 'pending' && text(before, 'claim_status') !== 'pending';

/** Also when the order was deleted: only the order tells. */
const becameFull = (before: Image | undefined, after: Image) =>
  before?.has_capacity?.BOOL === true &&
  after.has_capacity?.BOOL === false &&
  number(before, 'order_id') === number(after, 'order_id') &&
  after.retired_at === undefined;

function eventOf(before: Image | undefined, after: Image | undefined): CallbackEvent | undefined {
  const status = text(after, 'status');
  if (status !== text(before, 'status')) {
    if (status === 'assigned') return 'lead.assigned';
    if (status === 'discarded') return 'lead.discarded';
    // A lead from the backlog that found no buyer again is pending for the reason that the source knows.
    if (status === 'pending' && reasonOf(after) !== reasonOf(before)) return 'lead.pending';
  }
  const claim = text(after, 'claim_status');
  if (claim !== text(before, 'claim_status')) {
    if (claim === 'approved') return 'claim.approved';
    if (claim === 'rejected') return 'claim.rejected';
  }
  const isSameOrder = number(after, 'order_id') === number(before, 'order_id');
  return isSameOrder && feedbackIn(after)?.feedback !== feedbackIn(before)?.feedback
    ? 'lead.feedback'
    : undefined;
}

/** What the present buyer of a lead says, with the number of its last entry. */
function feedbackIn(image: Image | undefined) {
  const stored = image?.feedback?.M;
  const isPresent = number(stored, 'order_id') === number(image, 'order_id');
  if (!isPresent || stored === undefined) return undefined;
  const feedback = FEEDBACKS.find((one) => one === text(stored, 'said'));
  const entry = number(stored, 'entries');
  return { ...(feedback !== undefined && { feedback }), ...(entry !== undefined && { entry }) };
}

const reasonOf = (image: Image | undefined) =>
  PENDING_REASONS.find((reason) => reason === text(image, 'reason'));

/** Redistributes the backlog when the buyer can take more leads than before, and renews a full order. */
function ofPoolEntry(before: Image | undefined, after: Image): Messages {
  const buyer = number(after, 'buyer');
  if (buyer === undefined) return NOTHING;
  if (isFull(after) && !(before !== undefined && isFull(before)))
    return { ...NOTHING, redistribute: [{ buyer, full: true }] };
  if (!canTakeLeads(after)) return NOTHING;
  const wantsMore =
    ['min_investment', 'min_term'].some((name) => (number(after, name) ?? 0) < (number(before, name) ?? 0)) ||
    ['max_investment', 'max_term'].some(
      (name) => (number(after, name) ?? Infinity) > (number(before, name) ?? Infinity),
    );
  const sourcesChanged = ['sources_allowed', 'sources_excluded'].some(
    (name) => JSON.stringify(after[name]) !== JSON.stringify(before?.[name]),
  );
  const orderChanged = number(after, 'order_id') !== number(before, 'order_id');
  // Only time shows whether it is open: a change of its hours may open them, and the reconciliation notes that they
  // opened.
  const hoursChanged =
    JSON.stringify(after.schedule) !== JSON.stringify(before?.schedule) ||
    text(after, 'opened_at') !== text(before, 'opened_at');
  const capEnded =
    before?.capped_until !== undefined && text(after, 'capped_until') !== text(before, 'capped_until');
  if (
    before !== undefined &&
    canTakeLeads(before) &&
    !wantsMore &&
    !sourcesChanged &&
    !orderChanged &&
    !hoursChanged &&
    !capEnded
  )
    return NOTHING;
  return { ...NOTHING, redistribute: [{ buyer }] };
}

function isFull(poolEntry: Image): boolean {
  return (
    poolEntry.active?.BOOL === true &&
    poolEntry.has_capacity?.BOOL === false &&
    poolEntry.order_id?.N !== undefined &&
    poolEntry.retired_at === undefined
  );
}

function canTakeLeads(poolEntry: Image): boolean {
  return (
    poolEntry.active?.BOOL === true &&
    poolEntry.has_capacity?.BOOL === true &&
    poolEntry.order_id?.N !== undefined &&
    (number(poolEntry, 'probability') ?? 0) > 0
  );
}

function text(image: Image | undefined, name: string): string | undefined {
  return image?.[name]?.S;
}

function number(image: Image | undefined, name: string): number | undefined {
  const value = image?.[name]?.N;
  return value === undefined ? undefined : Number(value);
}

/** The texts and numbers of an item, of which a message's schema takes its own. */
function scalars(image: Image): Record<string, string | number | undefined> {
  return Object.fromEntries(
    Object.keys(image).map((name) => [name, text(image, name) ?? number(image, name)]),
  );
}

/** Which messages and notices a change of an item causes. Pure: depends only on the item before and after the change. */
import type { AttributeValue } from 'aws-lambda';
import {
  type DeliverMessage,
  deliverMessage,
  type NotifyMessage,
  notifyMessage,
  type RedistributeMessage,
} from '#functions/queues/messages';

export type Image = Readonly<Record<string, AttributeValue>>;

export interface Messages {
  readonly deliver: readonly DeliverMessage[];
  readonly notify: readonly NotifyMessage[];
  readonly redistribute: readonly RedistributeMessage[];
}

/** A push that admins may have asked for: it becomes a notice, whose own change then causes the message. */
export type PushSubject = Extract<NotifyMessage, { about: 'lead' | 'claim_filed' }>;

const NOTHING: Messages = { deliver: [], notify: [], redistribute: [] };

/** @param before undefined for a new item @param after undefined for a removed one */
export function messagesOf(before: Image | undefined, after: Image | undefined): Messages {
  if (after === undefined) return NOTHING;
  const sk = text(after, 'sk') ?? '';
  if (sk.startsWith('DELIVERY#')) return ofDelivery(before, after);
  if (sk === 'NOTICE') return ofNotice(before, after);
  if (sk.startsWith('ENTRY#')) return ofPoolEntry(before, after);
  return NOTHING;
}

/** A new delivery, or a new round of one by "send again". */
function ofDelivery(before: Image | undefined, after: Image): Messages {
  const round = number(after, 'round');
  const started = before === undefined || round !== number(before, 'round');
  if (!started || text(after, 'status') !== 'pending') return NOTHING;
  const message = deliverMessage.safeParse({
    lead_id: text(after, 'lead_id'),
    channel: text(after, 'channel'),
    round,
    attempt_count: number(after, 'attempt_count'),
  });
  return message.success ? { ...NOTHING, deliver: [message.data] } : NOTHING;
}

function ofNotice(before: Image | undefined, after: Image): Messages {
  if (before !== undefined) return NOTHING;
  const message = notifyMessage.safeParse({
    about: text(after, 'about'),
    lead_id: text(after, 'lead_id'),
    status: text(after, 'status'),
  });
  return message.success ? { ...NOTHING, notify: [message.data] } : NOTHING;
}

/** The pushes that a change of a lead causes. */
export function pushesOf(before: Image | undefined, after: Image | undefined): PushSubject[] {
  const lead_id = text(after, 'lead_id');
  if (text(after, 'sk') !== 'LEAD' || lead_id === undefined) return [];
  const pushes: PushSubject[] = [];
  const status = text(after, 'status');
  if (status !== text(before, 'status')) {
    if (status === 'assigned') pushes.push({ about: 'lead', lead_id, status: 'assigned' });
    // A lead that becomes pending again would cause it again: there is one notice of each kind for a lead.
    if (status === 'pending') pushes.push({ about: 'lead', lead_id, status: 'ineligible' });
  }
  if (text(after, 'claim_status') === 'pending' && text(before, 'claim_status') !== 'pending')
    pushes.push({ about: 'claim_filed', lead_id });
  return pushes;
}

/** A pool entry: the backlog is redistributed when the buyer can take leads that it could not take before. */
function ofPoolEntry(before: Image | undefined, after: Image): Messages {
  const buyer = number(after, 'buyer');
  if (buyer === undefined || !canTakeLeads(after)) return NOTHING;
  const minimumLowered = (number(after, 'min_investment') ?? 0) < (number(before, 'min_investment') ?? 0);
  const orderChanged = number(after, 'order_id') !== number(before, 'order_id');
  if (before !== undefined && canTakeLeads(before) && !minimumLowered && !orderChanged) return NOTHING;
  return { ...NOTHING, redistribute: [{ buyer }] };
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

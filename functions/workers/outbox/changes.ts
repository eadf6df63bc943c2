/** Which messages a change of an item causes. Pure: depends only on the item before and after the change. */
import type { AttributeValue } from 'aws-lambda';
import type { DeliverMessage, NotifyMessage, RedistributeMessage } from '#functions/queues/messages';
import { deliverMessage } from '#functions/queues/messages';

export type Image = Readonly<Record<string, AttributeValue>>;

export interface Messages {
  readonly deliver: readonly DeliverMessage[];
  readonly notify: readonly NotifyMessage[];
  readonly redistribute: readonly RedistributeMessage[];
}

const NOTHING: Messages = { deliver: [], notify: [], redistribute: [] };

/** @param before undefined for a new item @param after undefined for a removed one */
export function messagesOf(before: Image | undefined, after: Image | undefined): Messages {
  if (after === undefined) return NOTHING;
  const sk = text(after, 'sk') ?? '';
  if (sk.startsWith('DELIVERY#')) return ofDelivery(before, after);
  if (sk === 'LEAD') return ofLead(before, after);
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

function ofLead(before: Image | undefined, after: Image): Messages {
  const lead_id = text(after, 'lead_id');
  if (lead_id === undefined) return NOTHING;
  const notify: NotifyMessage[] = [];
  const status = text(after, 'status');
  if (status !== text(before, 'status')) {
    if (status === 'assigned') notify.push({ about: 'lead', lead_id, status: 'assigned' });
    // A lead that becomes pending again causes a message again; the dedup marker prevents a second push.
    if (status === 'pending') notify.push({ about: 'lead', lead_id, status: 'ineligible' });
  }
  const claim = text(after, 'claim_status');
  if (claim !== text(before, 'claim_status')) {
    if (claim === 'pending') notify.push({ about: 'claim_filed', lead_id });
    if (claim === 'approved' || claim === 'rejected')
      notify.push({ about: 'claim_decided', lead_id, status: claim });
  }
  return { ...NOTHING, notify };
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

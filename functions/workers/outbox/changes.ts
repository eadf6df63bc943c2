/** From a change of the table to the messages it causes. Pure: the difference of the two images decides. */
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

/** @param before undefined for a new item; @param after undefined for one that was removed */
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
    // A lead that comes back from another distribution attempt has been told of before.
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

/** A buyer's place in the pool: the backlog is worth another look when the buyer can take more than before. */
function ofPoolEntry(before: Image | undefined, after: Image): Messages {
  const buyer = number(after, 'buyer');
  if (buyer === undefined || !isOpen(after)) return NOTHING;
  const lowered = (number(after, 'min_investment') ?? 0) < (number(before, 'min_investment') ?? 0);
  const another = number(after, 'order_id') !== number(before, 'order_id');
  if (before !== undefined && isOpen(before) && !lowered && !another) return NOTHING;
  return { ...NOTHING, redistribute: [{ buyer }] };
}

function isOpen(poolEntry: Image): boolean {
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

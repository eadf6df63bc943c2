import type { Subject } from '#functions/data/sources/callback';
import type { AnyCallback } from '#functions/data/sources/callback-store';
import type { CallbackMessage } from '#functions/queues/messages';

export function messageFor({
  lead_id,
  order_id,
  callback_id,
  series,
  attempt_count,
}: Subject & Pick<AnyCallback, 'callback_id' | 'series' | 'attempt_count'>): CallbackMessage {
  return {
    ...(lead_id !== undefined && { lead_id }),
    ...(order_id !== undefined && { order_id }),
    callback_id,
    series,
    attempt_count,
  };
}

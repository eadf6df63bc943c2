import type { Callback } from '#functions/data/sources/callback';
import type { CallbackMessage } from '#functions/queues/messages';

export function messageFor({ lead_id, callback_id, series, attempt_count }: Callback): CallbackMessage {
  return { lead_id, callback_id, series, attempt_count };
}

import { type Callback, eventIdOf } from '#functions/data/sources/callback';
import type { CallbackRow } from '#shared/contract/rows/callback';

export function callbackRow(callback: Callback): CallbackRow {
  return {
    ...callback,
    event_id: eventIdOf(callback),
    source_id: callback.source,
    external_id: callback.external_id ?? null,
    feedback: callback.feedback ?? null,
  };
}

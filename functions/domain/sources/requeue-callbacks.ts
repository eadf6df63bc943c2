/** Queues callbacks again whose message was lost, or whose worker crashed. */
import * as callbackStore from '#functions/data/sources/callback-store';
import { dueAt } from '#functions/domain/deliveries/attempts';
import { type RequeueContext, requeueDue, requeueOpen } from '#functions/domain/deliveries/lost-messages';
import { messageFor } from '#functions/domain/sources/callback-message';
import type { CallbackMessage } from '#functions/queues/messages';

const CALLBACKS = {
  due: callbackStore.due,
  setNextCheckAt: callbackStore.setNextCheckAt,
  open: callbackStore.open,
  dueOf: dueAt,
  messageFor,
};

export const requeueCallbacks = (context: RequeueContext<CallbackMessage>) => requeueDue(context, CALLBACKS);
export const requeueOpenCallbacks = (context: RequeueContext<CallbackMessage>) =>
  requeueOpen(context, CALLBACKS);

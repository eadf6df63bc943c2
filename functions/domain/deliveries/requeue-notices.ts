/** Queues notices again that were postponed, or whose message was lost. */
import type { Context } from '#functions/data/context';
import type { Notice } from '#functions/data/deliveries/notice-store';
import * as noticeStore from '#functions/data/deliveries/notice-store';
import { type RequeueContext, requeueDue, requeueOpen } from '#functions/domain/deliveries/lost-messages';
import { type NotifyMessage, notifyMessage } from '#functions/queues/messages';

export const requeueNotices = (context: RequeueContext<NotifyMessage>) => requeueDue(context, NOTICES);
export const requeueOpenNotices = (context: RequeueContext<NotifyMessage>) => requeueOpen(context, NOTICES);

const NOTICES = {
  toLookAt: noticeStore.toLookAt,
  recheckAt: noticeStore.recheckAt,
  open: openAndDue,
  dueOf,
  messageFor: (notice: Notice) => notifyMessage.parse(notice),
};

async function* openAndDue(context: Context): AsyncGenerator<readonly Notice[]> {
  for await (const page of noticeStore.open(context))
    yield page.filter((notice) => dueOf(notice) <= context.runtime.now());
}

function dueOf({ next_attempt_at, created_at }: Notice): Date {
  return new Date(next_attempt_at ?? created_at);
}

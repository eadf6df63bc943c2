/** Requeues notifications that were postponed or whose message was lost. */
import type { Notification } from '#functions/data/deliveries/notification-store';
import * as notificationStore from '#functions/data/deliveries/notification-store';
import { type RequeueContext, requeueDue, requeueOpen } from '#functions/domain/deliveries/lost-messages';
import { type NotifyMessage, notifyMessage } from '#functions/queues/messages';

export const requeueNotifications = (context: RequeueContext<NotifyMessage>) =>
  requeueDue(context, NOTIFICATIONS);
export const requeueOpenNotifications = (context: RequeueContext<NotifyMessage>) =>
  requeueOpen(context, NOTIFICATIONS);

const NOTIFICATIONS = {
  due: notificationStore.due,
  setNextCheckAt: notificationStore.setNextCheckAt,
  open: notificationStore.open,
  dueOf: ({ next_attempt_at, created_at }: Notification) => new Date(next_attempt_at ?? created_at),
  messageFor: (notification: Notification) => notifyMessage.parse(notification),
};

import { formatDate, formatNumber } from '#shared/rules/formats';
import type { Order } from '../data/orders';
import { untilText } from '../ui/until';

type Paced = Pick<
  Order,
  'weekly_cap' | 'ends_on' | 'received_today' | 'allowed_today' | 'received_this_week'
>;

const takenText = (when: string, taken: number | null, most: number | null) =>
  most === null ? [] : [`${when} ${formatNumber(taken ?? 0)} of ${formatNumber(most)}`];

/** `today 12 of 20`, `week 31 of 50`, `until 31.12.2026`; empty without caps. */
export function paceTexts(order: Paced): string[] {
  const { received_today, allowed_today, received_this_week, weekly_cap, ends_on } = order;
  return [
    ...takenText('today', received_today, allowed_today),
    ...takenText('week', received_this_week, weekly_cap),
    ...(ends_on === null ? [] : [`until ${formatDate(new Date(ends_on))}`]),
  ];
}

type Pausable = Pick<Order, 'paused_by' | 'paused_until'>;

const PAUSED_BY: Readonly<Record<NonNullable<Order['paused_by']>, string>> = {
  outside_schedule: 'The buyer is outside its hours.',
  daily_cap_reached: 'Daily cap reached.',
  weekly_cap_reached: 'Weekly cap reached.',
};

/** `paused until Mon 08:00`, and why; undefined while leads go to the order. */
export function pauseTexts({ paused_by, paused_until }: Pausable): { text: string; why: string } | undefined {
  if (paused_by === null) return undefined;
  const until = paused_until === null ? '' : ` until ${untilText(new Date(paused_until), new Date())}`;
  return { text: `paused${until}`, why: PAUSED_BY[paused_by] };
}

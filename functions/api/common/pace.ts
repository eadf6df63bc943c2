import { pausedBy, pausedUntil } from '#functions/data/buyers/buyer';
import { capacityStateOf, hasCapacity, type Order, paceAt } from '#functions/data/orders/order';
import type { OrderRow } from '#shared/contract/schemas/orders';
import { UNCAPPED } from '#shared/rules/constants';
import { record } from '#shared/rules/lead-fields';
import type { Schedule } from '#shared/rules/schedule';

const PACE = [
  'daily_cap',
  'weekly_cap',
  'ends_on',
  'received_today',
  'allowed_today',
  'received_this_week',
  'paused_by',
  'paused_until',
] as const;
type PaceRow = Pick<OrderRow, (typeof PACE)[number]>;

const NO_PACE: PaceRow = record(PACE, () => null);

/** @param served whether the buyer's leads go to the order */
export function paceRow(
  order: Order | undefined,
  served: boolean,
  schedule: Schedule | null | undefined,
  now: Date,
): PaceRow {
  if (order === undefined) return NO_PACE;
  const pace = paceAt(order, schedule, now);
  return {
    ...NO_PACE,
    ...(pace && {
      daily_cap: pace.daily_cap,
      weekly_cap: pace.weekly_cap,
      ends_on: pace.ends_on,
      received_today: pace.day_received,
      allowed_today: pace.day_allowance >= UNCAPPED ? null : pace.day_allowance,
      received_this_week: pace.week_received,
    }),
    ...(served && hasCapacity(order) && pausedRow(order, schedule ?? undefined, now)),
  };
}

function pausedRow(
  order: Order,
  schedule: Schedule | undefined,
  now: Date,
): Pick<PaceRow, 'paused_by' | 'paused_until'> | undefined {
  const { capped } = capacityStateOf(order, { schedule }, now);
  const entry = {
    ...(schedule && { schedule: { ...schedule, weekdays: [...schedule.weekdays] } }),
    ...(capped && { capped_until: capped.until.toISOString(), capped_by: capped.by }),
  };
  const by = pausedBy(entry, now);
  if (by === undefined) return undefined;
  return { paused_by: by, paused_until: pausedUntil(entry, now)?.toISOString() ?? null };
}

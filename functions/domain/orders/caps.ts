import type { DataContext } from '#functions/data/context';
import * as leadLists from '#functions/data/leads/lead-lists';
import { capacityOf, type Order, originalLeads, paceAt } from '#functions/data/orders/order';
import { type Caps, type Pace, paceByCaps, type Taken } from '#functions/data/orders/pace';
import { reservationsOf } from '#functions/data/orders/reservation-store';
import { invalid } from '#functions/domain/common/errors';
import { berlinInstant, type Schedule, weekOf } from '#shared/rules/schedule';
import { addDays, berlinDay, isDay } from '#shared/rules/working-days';

const NOTHING_RECEIVED: Taken = { day_from: 0, day_received: 0, week_from: 0, week_received: 0 };

export const capsOf = ({ daily_cap, weekly_cap, ends_on }: Caps): Caps => ({
  daily_cap,
  weekly_cap,
  ends_on,
});

/** Bounds a loop over the days up to the end. */
const MAX_DAYS_AHEAD = 731;

export function checkCaps({ ends_on }: Caps, now: Date): void {
  if (ends_on === null) return;
  const today = berlinDay(now);
  if (isDay(ends_on) && ends_on >= today && ends_on <= addDays(today, MAX_DAYS_AHEAD)) return;
  const text = endDateText(ends_on, today);
  throw invalid('invalid_input', text, { ends_on: text });
}

function endDateText(endsOn: string, today: string): string {
  if (!isDay(endsOn)) return 'This date does not exist';
  return endsOn < today ? 'The end date has passed' : 'The end date may be at most two years ahead';
}

/** @param followed the full order that this one renews: its leads of today and this week count for the new caps */
export function firstPace(
  caps: Caps,
  capacity: number,
  schedule: Schedule | undefined,
  now: Date,
  followed?: Order,
): Pace | undefined {
  const before = followed && paceAt(followed, schedule, now);
  const taken = before && {
    ...NOTHING_RECEIVED,
    day_received: before.day_received,
    week_received: before.week_received,
  };
  const day = before?.of_day ?? berlinDay(now);
  return paceByCaps(caps, { capacity }, taken ?? NOTHING_RECEIVED, schedule, day);
}

export async function paceAfter(
  context: DataContext,
  order: Order,
  { leadLimit, caps }: { readonly leadLimit: number; readonly caps: Caps },
  schedule: Schedule | undefined,
  now: Date,
): Promise<Pace | undefined> {
  if (Object.values(caps).every((cap) => cap === null)) return undefined;
  const known = paceAt(order, schedule, now);
  const day = known?.of_day ?? berlinDay(now);
  const taken = known ?? (await ingested(context, order, day));
  const capacity = capacityOf({ ...order, lead_limit: leadLimit });
  return paceByCaps(caps, { capacity }, taken, schedule, day);
}

/** For an order without caps until now: counts its leads, reservations, and the newest leads, which the index may not show yet. */
async function ingested(context: DataContext, order: Order, day: string): Promise<Taken> {
  const week = weekOf(day);
  const [listed, found] = await Promise.all([
    leadLists.countOfOrder(context, order.order_id),
    leadLists.ofOrderSince(context, order.order_id, berlinInstant(week, 0)),
  ]);
  const known = found.map(({ sequence = 0, assigned_at = '' }) => ({
    sequence,
    day: berlinDay(new Date(assigned_at)),
  }));
  const newest = known[0]?.sequence ?? 0;
  const taken = new Set([
    ...known.map(({ sequence }) => sequence),
    ...reservationsOf(order).map(({ sequence }) => sequence),
  ]);
  const underWay = [...taken].filter((sequence) => sequence > newest).length;
  let late = originalLeads(order) + order.reimbursement_delivered - listed - underWay;
  for (let sequence = order.last_sequence; sequence > newest && late > 0; sequence -= 1)
    if (!taken.has(sequence)) {
      taken.add(sequence);
      late -= 1;
    }
  // The last sequence number before the period; leads before this week are not read.
  const lastBefore = (from: string) => {
    const earlier = known.flatMap((lead) => (lead.day < from ? [lead.sequence] : []));
    if (earlier.length > 0) return Math.max(...earlier);
    return taken.size === 0 ? order.last_sequence : Math.min(...taken) - 1;
  };
  const above = (from: number) => [...taken].filter((sequence) => sequence > from).length;
  const [day_from, week_from] = [lastBefore(day), lastBefore(week)];
  return { day_from, day_received: above(day_from), week_from, week_received: above(week_from) };
}

/** What a lead counts for among the figures of its source. */
import type { Lead } from '#functions/data/leads/lead';
import { nameOfSourceDay, type SourceDayName, type Sums } from '#functions/data/statistics/source-figures';
import type { Counted } from '#functions/data/statistics/statistics-store';
import { berlinDay, berlinHour } from '#shared/rules/working-days';

/** How a lead came in, if from a source: on which day and in which hour of Berlin. */
export function cameOf({ source, received_at, status }: Lead): Counted['came'] {
  if (source === undefined) return undefined;
  const at = new Date(received_at);
  return { day: berlinDay(at), hour: berlinHour(at), source, duplicate: status === 'duplicate' };
}

/**
 * All of a lead counts on the day it came in, so that of the leads of some days it can be said what became of them.
 * @returns undefined for a lead that is of no source
 */
export function sourceSums({
  came,
  state,
  assignment,
  claim,
  feedback,
}: Counted): { readonly name: SourceDayName; readonly sums: Sums } | undefined {
  if (came === undefined) return undefined;
  const sums = new Map<string, number>([
    [came.duplicate ? 'duplicates' : 'accepted', 1],
    [`hour:${came.hour}`, 1],
  ]);
  if (state === 'pending') sums.set('waiting', 1);
  if (assignment !== null) {
    const { buyer, type, price } = assignment;
    sums.set(`assigned:${buyer}`, 1);
    if (feedback !== undefined) sums.set(`${feedback}:${buyer}`, 1);
    if (type === 'original' && price !== null) sums.set(`price:${buyer}:${price}`, 1);
  }
  if (claim !== undefined) {
    sums.set(`claimed:${claim.buyer}`, 1);
    if (claim.status !== 'pending') sums.set(`${claim.status}:${claim.buyer}`, 1);
  }
  return { name: nameOfSourceDay(came.day, came.source), sums };
}

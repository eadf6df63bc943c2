import type { Lead } from '#functions/data/leads/lead';
import type { Counted } from '#functions/data/statistics/statistics-store';
import { nameOf, type Part } from '#functions/data/statistics/sums';
import { berlinDay, berlinHour } from '#shared/rules/working-days';

/** `duplicate`: refused at intake, so that it counts also when it is gone. */
export function cameOf({ source, received_at, status }: Lead): Counted['came'] {
  if (source === undefined) return undefined;
  const at = new Date(received_at);
  const duplicate = status === 'duplicate' || status === 'withdrawn';
  return { day: berlinDay(at), hour: berlinHour(at), source, duplicate };
}

/** A lead's whole outcome counts on the day it arrived, so that the outcome of some days' leads is known. */
export function sourceParts({ came, state, assignment, claim, feedback }: Counted): Part[] {
  if (came === undefined) return [];
  const figures = [came.duplicate ? 'duplicates' : 'accepted', `hour:${came.hour}`];
  if (state === 'pending') figures.push('waiting');
  if (assignment !== null) {
    const { buyer, type, price } = assignment;
    figures.push(`assigned:${buyer}`);
    if (feedback !== undefined) figures.push(`${feedback}:${buyer}`);
    if (type === 'original') figures.push(price === null ? 'unpriced' : `price:${buyer}:${price}`);
  }
  if (claim !== undefined) {
    figures.push(`claimed:${claim.buyer}`);
    if (claim.status !== 'pending') figures.push(`${claim.status}:${claim.buyer}`);
  }
  return figures.map((figure) => [nameOf.sourceDay(came.day, came.source), figure, 1]);
}

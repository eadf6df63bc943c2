/** When a visit begins, and what is new in it. */

/** Reopening within this time continues the visit. */
const SAME_VISIT_MS = 30 * 60_000;

export interface Visit {
  /** When the newest seen lead was delivered; may be empty. */
  readonly seen: string;
  /** At the end of the previous visit; later leads are new. */
  readonly before: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** @param newest when the newest lead was delivered */
export function visited(last: Visit | undefined, newest: string, now: number): Visit {
  // On a first visit, only leads that arrive now are new.
  if (last === undefined) return { seen: newest, before: newest, at: now };
  const seen = newest > last.seen ? newest : last.seen;
  const isSame = now - last.at < SAME_VISIT_MS;
  return { seen, before: isSame ? last.before : last.seen, at: now };
}

/** When a visit to an order's list begins, and what is new in it. Pure. */

/** A page that is opened again within this time belongs to the same visit. */
const SAME_VISIT_MS = 30 * 60_000;

/** Of one order. */
export interface Visit {
  /** When the newest lead seen so far was delivered; empty where there was none. */
  readonly seen: string;
  /** The same at the end of the visit before; what was delivered later is new. */
  readonly before: string;
  /** When the page was last open: epoch milliseconds. */
  readonly at: number;
}

/** @param last what is kept of the last visit @param newest when the newest lead was delivered */
export function visited(last: Visit | undefined, newest: string, now: number): Visit {
  // On a first visit nothing is new but what comes while the page is open.
  if (last === undefined) return { seen: newest, before: newest, at: now };
  const seen = newest > last.seen ? newest : last.seen;
  const isSame = now - last.at < SAME_VISIT_MS;
  return { seen, before: isSame ? last.before : last.seen, at: now };
}

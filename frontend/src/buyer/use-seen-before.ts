/**
 * What was new since the last visit, on this device: of each order only until when its leads have been seen. Nothing of it
 * leaves the device, and it names neither the link nor anybody.
 */
import { useEffect, useState } from 'react';
import { type Visit, visited } from './visit';

/** So exactly it is known when a page was last open. */
const NOTED_EVERY_MS = 60_000;

/**
 * @param newest when the newest lead was delivered; undefined while the list is not whole yet
 * @param answeredAt when the list was last known to be so, by the clock of this device
 * @returns until when leads were delivered that are not new; undefined while that is not known
 */
export function useSeenBefore(
  orderId: number,
  newest: string | undefined,
  answeredAt: number,
): string | undefined {
  const [before, setBefore] = useState<string>();
  if (before === undefined && newest !== undefined)
    setBefore(visited(kept(orderId), newest, answeredAt).before);
  useEffect(() => {
    if (newest === undefined) return;
    const last = kept(orderId);
    if (last?.seen === newest && answeredAt - last.at < NOTED_EVERY_MS) return;
    keep(orderId, visited(last, newest, answeredAt));
  }, [orderId, newest, answeredAt]);
  return before;
}

const nameOf = (orderId: number) => `visit-${orderId}`;

function kept(orderId: number): Visit | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(nameOf(orderId)) ?? 'null');
    return isVisit(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

function keep(orderId: number, visit: Visit): void {
  try {
    localStorage.setItem(nameOf(orderId), JSON.stringify(visit));
  } catch {
    // Without storage every visit is a first one.
  }
}

function isVisit(value: unknown): value is Visit {
  return (
    typeof value === 'object' &&
    value !== null &&
    'seen' in value &&
    typeof value.seen === 'string' &&
    'before' in value &&
    typeof value.before === 'string' &&
    'at' in value &&
    typeof value.at === 'number'
  );
}

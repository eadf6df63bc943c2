/** What is new since the last visit. Stored on this device only, without link or names. */
import { useEffect, useState } from 'react';
import { type Visit, visited } from './visit';

const NOTED_EVERY_MS = 60_000;

/**
 * @param newest undefined until the list is complete @param answeredAt by this device's clock @returns leads delivered later
 * are new; undefined: unknown
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
    // Without storage every visit is the first.
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

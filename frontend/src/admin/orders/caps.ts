import type { Order } from '../data/orders';
import { INVALID } from '../invalid-texts';

/** An order's stored caps. */
export type Caps = Pick<Order, 'daily_cap' | 'weekly_cap' | 'ends_on'>;

/** The same as people type them; empty: none. */
export type CapValues = Readonly<Record<keyof Caps, string>>;

export const NO_CAP_VALUES: CapValues = { daily_cap: '', weekly_cap: '', ends_on: '' };

export const capValuesOf = ({ daily_cap, weekly_cap, ends_on }: Caps): CapValues => ({
  daily_cap: daily_cap === null ? '' : String(daily_cap),
  weekly_cap: weekly_cap === null ? '' : String(weekly_cap),
  ends_on: ends_on ?? '',
});

/** Typed values in one line. */
export const capsText = ({ daily_cap, weekly_cap, ends_on }: CapValues): string =>
  [
    daily_cap.trim() && `${daily_cap.trim()} per day`,
    weekly_cap.trim() && `${weekly_cap.trim()} per week`,
    ends_on && `until ${ends_on}`,
  ]
    .filter((part) => part !== '')
    .join(', ') || 'No limit';

/** Typed values as a request. Call it only if `capErrors` found nothing. */
export const capsOf = ({ daily_cap, weekly_cap, ends_on }: CapValues): Caps => ({
  daily_cap: daily_cap.trim() === '' ? null : Number(daily_cap),
  weekly_cap: weekly_cap.trim() === '' ? null : Number(weekly_cap),
  ends_on: ends_on === '' ? null : ends_on,
});

/** A whole number from 1. */
export const isCount = (text: string) => /^\d+$/.test(text.trim()) && Number(text) >= 1;

const isCap = (text: string) => text.trim() === '' || isCount(text);

export function capErrors({ daily_cap, weekly_cap }: CapValues): Partial<Record<keyof CapValues, string>> {
  return {
    ...(!isCap(daily_cap) && { daily_cap: INVALID.cap }),
    ...(!isCap(weekly_cap) && { weekly_cap: INVALID.cap }),
  };
}

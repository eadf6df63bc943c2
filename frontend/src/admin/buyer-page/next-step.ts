import type { Buyer } from '../data/buyers';
import { isAsking } from '../orders/Reorders';
import type { Check, FixableCheck } from './Checks';

/** The one thing to do next. */
export type Step =
  | { readonly kind: 'fix'; readonly check: FixableCheck }
  | { readonly kind: 'failed'; readonly check: Check }
  | { readonly kind: 'address' | 'reorder'; readonly check?: never };

const isFixable = (check: Check): check is FixableCheck => check.action !== null;

/** What blocks leads comes first, then what the buyer waits for, then what may be lost; undefined if all is well. */
export function nextStep(buyer: Buyer, checks: readonly Check[]): Step | undefined {
  const fixable = checks.filter(isFixable);
  const blocked = fixable.find(({ state }) => state === 'blocked');
  if (isAsking(buyer) && (blocked === undefined || blocked.check === 'limit')) return { kind: 'reorder' };
  if (blocked !== undefined) return { kind: 'fix', check: blocked };
  const failing = fixable.find(({ check }) => check === 'delivery');
  if (failing !== undefined) return { kind: 'failed', check: failing };
  if (buyer.email_state !== null) return { kind: 'address' };
  const [noted] = fixable;
  return noted && { kind: 'fix', check: noted };
}

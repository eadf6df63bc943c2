import type { Answer } from '#shared/contract/schemas';
import type { BuyerRow } from '#shared/contract/schemas/buyers';
import { isAsking } from '../orders/asking';

export type Check = Answer<'getChecklist'>['checks'][number];
export type Action = NonNullable<Check['action']>;
export type FixableCheck = Check & { readonly action: Action };

/** The one thing to do next. */
export type Step =
  | { readonly kind: 'fix'; readonly check: FixableCheck }
  | { readonly kind: 'failed'; readonly check: Check }
  | { readonly kind: 'address' | 'reorder'; readonly check?: never };

const isFixable = (check: Check): check is FixableCheck => check.action !== null;

/** What blocks leads comes first, then failed deliveries, then other notes; undefined if all is well. */
export function nextStep(buyer: BuyerRow, checks: readonly Check[]): Step | undefined {
  const fixable = checks.filter(isFixable);
  const blocked = fixable.find(({ state }) => state === 'blocked');
  if (isAsking(buyer) && (blocked === undefined || blocked.check === 'limit')) return { kind: 'reorder' };
  if (blocked !== undefined) return { kind: 'fix', check: blocked };
  const failing = fixable.find(({ check }) => check === 'delivery');
  if (failing !== undefined) return { kind: 'failed', check: failing };
  if (buyer.email_state !== null) return { kind: 'address' };
  // A minimum is meant to keep leads away.
  const noted = fixable.find(({ check }) => check !== 'minimum');
  return noted && { kind: 'fix', check: noted };
}

/** Which decisions of claims can be reversed. */
import type { Claim } from '#functions/data/claims/claim';
import { REVERSAL_HOURS } from '#shared/rules/constants';

/** Until when (UTC) the decision of a claim can be reversed; undefined where the product did not decide it, or not any more. */
export function reversibleUntil({ rule, reversed_at, processed_at }: Claim): Date | undefined {
  if (rule === undefined || reversed_at !== undefined || processed_at === null) return undefined;
  return new Date(Date.parse(processed_at) + REVERSAL_HOURS * 3600_000);
}

import type { Claim } from '#functions/data/claims/claim';
import { REVERSAL_HOURS } from '#shared/rules/constants';

/** Until when (UTC) a decision can be reversed; undefined if it was not automatic or was reversed before. */
export function reversibleUntil({ rule, reversed_at, processed_at }: Claim): Date | undefined {
  if (rule === undefined || reversed_at !== undefined || processed_at === null) return undefined;
  return new Date(Date.parse(processed_at) + REVERSAL_HOURS * 3600_000);
}

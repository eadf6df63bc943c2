import type { Claim } from '#functions/data/claims/claim';
import * as claimStore from '#functions/data/claims/claim-store';
import type { Context } from '#functions/data/context';
import { decideClaim } from '#functions/domain/claims/claims';
import { DomainError } from '#functions/domain/common/errors';
import { errorFields } from '#functions/platform/logger';
import { berlinDay, formatDay } from '#shared/rules/working-days';

const MAX_PER_RUN = 50;

/** An admin was faster. */
const OVER = 'claim_already_decided';

export async function decideByDefault(context: Context): Promise<number> {
  let decided = 0;
  for (const claim of await claimStore.overdue(context, berlinDay(context.runtime.now()), MAX_PER_RUN)) {
    const decision = decisionOf(claim);
    if (decision === undefined) continue;
    const { claim_id: claimId } = claim;
    try {
      await decideClaim(context, { who: 'system', claimId, ...decision });
      decided += 1;
    } catch (error) {
      if (error instanceof DomainError && error.code === OVER) continue;
      // It must not block the others; the next run tries it again.
      context.runtime.log.warn('claim could not be decided', { claim: claimId, ...errorFields(error) });
    }
  }
  return decided;
}

function decisionOf({
  decide_by,
  default_decision,
}: Claim): { readonly status: 'approved' | 'rejected'; readonly notes: string } | undefined {
  if (decide_by === undefined || default_decision === undefined) return undefined;
  const because = `Bis zum ${formatDay(decide_by)} wurde nicht entschieden; für diesen Fall ist vereinbart, dass die Reklamation als`;
  switch (default_decision) {
    case 'none':
      return undefined;
    case 'approve':
      return { status: 'approved', notes: `Automatisch genehmigt. ${because} genehmigt gilt.` };
    case 'reject':
      return { status: 'rejected', notes: `Automatisch abgelehnt. ${because} abgelehnt gilt.` };
    default:
      return default_decision satisfies never;
  }
}

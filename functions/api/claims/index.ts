import { historyAnswer, pageAnswer, publicAnswer, rowAnswer } from '#functions/api/claims/answers';
import type { FunctionEnvironment } from '#functions/api/claims/environment';
import { refusedInGerman } from '#functions/api/claims/refusals';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Claim } from '#functions/data/claims/claim';
import * as claimStore from '#functions/data/claims/claim-store';
import * as evidenceStore from '#functions/data/claims/evidence';
import * as replacementStore from '#functions/data/orders/replacement-store';
import { claimInContext, listClaims, pendingClaims } from '#functions/domain/claims/claim-list';
import { type ClaimAccess, claimOfLead, decideClaim, fileClaim } from '#functions/domain/claims/claims';
import { DomainError, notFound } from '#functions/domain/common/errors';
import { feedbackDiary, saveFeedback, takeBackFeedback } from '#functions/domain/leads/feedback';
import { type ApiHandler, createApi, type Request } from '#functions/http/api';
import { createApiContext } from '#functions/http/context';
import type { Runtime } from '#functions/platform/runtime';
import { claimSchemas } from '#shared/contract/schemas/claims';

type ClaimCaller = Pick<Request<'fileClaim'>, 'query' | 'who' | 'visitor'>;

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const context = createApiContext(environment, runtime);

  return createApi('claims', claimSchemas, context, {
    fileClaim: ({ body, ...caller }) =>
      refusedInGerman(async () => {
        const claim = await fileClaim(context, accessOf(caller), {
          leadId: body.lead_id,
          orderId: body.order_id,
          buyerId: body.buyer_id,
          reason: body.claim_reason,
        });
        return { message: 'Ihre Reklamation wurde eingereicht.', claim: publicAnswer(claim) };
      }),

    getLeadClaim: ({ params, ...caller }) =>
      refusedInGerman(async () => {
        const claim = await claimOfLead(context, accessOf(caller), params.leadId);
        return { claim: publicAnswer(claim, await basis(claim)) };
      }),

    viewFeedback: ({ params: { token, leadId }, visitor }) =>
      refusedInGerman(async () => {
        const rows = await feedbackDiary(context, token, visitor, leadId);
        return {
          entries: rows.map(({ who, ...row }) => ({
            ...row,
            by: who === 'link' ? ('buyer' as const) : ('admin' as const),
          })),
        };
      }),

    saveFeedback: ({ params: { token, leadId }, body: { feedback }, visitor }) =>
      refusedInGerman(async () => {
        const said = await saveFeedback(context, token, visitor, { leadId, feedback });
        return { message: 'Ihre Rückmeldung ist notiert.', ...said };
      }),

    takeBackFeedback: ({ params: { token, leadId, entry }, visitor }) =>
      refusedInGerman(async () => {
        const said = await takeBackFeedback(context, token, visitor, { leadId, entry });
        return { message: 'Ihre Rückmeldung ist zurückgenommen.', ...said };
      }),

    listPendingClaims: async () => {
      const claims = await pendingClaims(context);
      return { claims: claims.map(rowAnswer) };
    },

    listClaims: async ({ query }) => {
      const { page, limit } = query;
      const found = await listClaims(context, {
        page,
        limit,
        buyerId: query.buyer_id,
        orderId: query.order_id,
        statuses: query.claim_status,
        search: query.search,
        sortBy: query.sort_by,
        descending: query.sort_dir === 'desc',
      });
      return pageAnswer(found, page, limit);
    },

    listReplacements: async ({ params }) => {
      const buyer = await buyerStore.byId(context, params.buyerId);
      if (buyer === undefined) throw notFound('Buyer');
      return historyAnswer(buyer, await replacementStore.ofBuyer(context, buyer.buyer));
    },

    approveClaim: ({ params: { claimId }, body, who }) =>
      decide({ who, claimId, status: 'approved', notes: body.admin_notes }),

    rejectClaim: ({ params: { claimId }, body, who }) =>
      decide({ who, claimId, status: 'rejected', notes: body.admin_notes }),

    getClaimEvidence: async ({ params }) => {
      const [{ knownOfClaim }, { evidenceAnswer }] = await Promise.all([
        import('#functions/domain/claims/evidence'),
        import('#functions/api/claims/evidence'),
      ]);
      return evidenceAnswer(await knownOfClaim(context, params.claimId));
    },

    reverseClaim: async ({ params: { claimId }, body, who }) => {
      const { reverseDecision } = await import('#functions/domain/claims/reversal');
      const claim = await reverseDecision(context, { who, claimId, notes: body.admin_notes });
      return {
        message: `Decision reversed: claim #${claim.claim_id} ${claim.claim_status}`,
        claim: rowAnswer(await claimInContext(context, claim)),
      };
    },
  });

  async function basis(claim: Claim): Promise<string[]> {
    if (claim.claim_status === 'pending') return [];
    const [{ decided }, { basisOf }] = await Promise.all([
      evidenceStore.ofClaim(context, claim.claim_id),
      import('#functions/api/claims/evidence'),
    ]);
    return decided === undefined ? [] : basisOf(claim, decided);
  }

  async function decide(input: Parameters<typeof decideClaim>[1]) {
    const { evidenceNow } = await import('#functions/domain/claims/evidence');
    const seen = await claimStore.get(context, input.claimId);
    const evidence = seen?.claim_status === 'pending' ? await evidenceNow(context, seen) : undefined;
    const claim = await decideClaim(context, input, { evidence });
    return {
      message: `Claim #${claim.claim_id} ${claim.claim_status}`,
      claim: rowAnswer(await claimInContext(context, claim)),
    };
  }
}

/** A token takes precedence, also for an admin. @throws DomainError (401) without token and admin */
function accessOf({ query: { token }, who, visitor }: ClaimCaller): ClaimAccess {
  if (token !== undefined) return { token, visitor };
  if (who !== undefined) return { admin: who };
  throw new DomainError('unauthenticated', 'link_required', 'Open the list with its link');
}

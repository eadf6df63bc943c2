import { historyAnswer, pageAnswer, publicAnswer, rowAnswer } from '#functions/api/claims/answers';
import type { FunctionEnvironment } from '#functions/api/claims/environment';
import { refusedInGerman } from '#functions/api/claims/refusals';
import type { Session } from '#functions/data/administration/admin';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Claim } from '#functions/data/claims/claim';
import * as claimStore from '#functions/data/claims/claim-store';
import * as evidenceStore from '#functions/data/claims/evidence';
import * as replacementStore from '#functions/data/orders/replacement-store';
import { claimInContext, listClaims, pendingClaims } from '#functions/domain/claims/claim-list';
import { type ClaimAccess, claimOfLead, decideClaim, fileClaim } from '#functions/domain/claims/claims';
import { DomainError, notFound } from '#functions/domain/common/errors';
import { saveFeedback } from '#functions/domain/leads/feedback';
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiContext } from '#functions/http/context';
import { linkVisitor } from '#functions/http/link-cookie';
import type { Runtime } from '#functions/platform/runtime';
import { claimSchemas } from '#shared/contract/schemas/claims';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const context = createApiContext(environment, runtime);

  return createApi('claims', claimSchemas, context, {
    fileClaim: ({ query, body, session, cookies }) =>
      refusedInGerman(async () => {
        const claim = await fileClaim(context, accessOf(query.token, session, cookies), {
          leadId: body.lead_id,
          orderId: body.order_id,
          buyerId: body.buyer_id,
          reason: body.claim_reason,
        });
        return { message: 'Ihre Reklamation wurde eingereicht.', claim: publicAnswer(claim) };
      }),

    getLeadClaim: ({ params, query, session, cookies }) =>
      refusedInGerman(async () => {
        const claim = await claimOfLead(context, accessOf(query.token, session, cookies), params.leadId);
        return { claim: publicAnswer(claim, await basis(claim)) };
      }),

    saveFeedback: ({ params, body, session, cookies }) =>
      refusedInGerman(async () => {
        await saveFeedback(
          context,
          params.token,
          linkVisitor(context.keys, { session, cookies }, runtime.now()),
          {
            leadId: params.leadId,
            feedback: body.feedback,
            who: session?.username ?? 'link',
          },
        );
        return { message: 'Ihre Rückmeldung ist notiert.', feedback: body.feedback };
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

    approveClaim: ({ params, body, session }) =>
      decide(session, { claimId: params.claimId, status: 'approved', notes: body.admin_notes }),

    rejectClaim: ({ params, body, session }) =>
      decide(session, { claimId: params.claimId, status: 'rejected', notes: body.admin_notes }),

    getClaimEvidence: async ({ params }) => {
      const [{ knownOfClaim }, { evidenceAnswer }] = await Promise.all([
        import('#functions/domain/claims/evidence'),
        import('#functions/api/claims/evidence'),
      ]);
      return evidenceAnswer(await knownOfClaim(context, params.claimId));
    },

    reverseClaim: async ({ params, body, session }) => {
      const { reverseDecision } = await import('#functions/domain/claims/reversal');
      const claim = await reverseDecision(context, {
        who: session.username,
        claimId: params.claimId,
        notes: body.admin_notes,
      });
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

  async function decide(
    session: Session,
    input: { claimId: number; status: 'approved' | 'rejected'; notes: string },
  ) {
    const { evidenceNow } = await import('#functions/domain/claims/evidence');
    const seen = await claimStore.get(context, input.claimId);
    const evidence = seen?.claim_status === 'pending' ? await evidenceNow(context, seen) : undefined;
    const claim = await decideClaim(context, { ...input, who: session.username }, { evidence });
    return {
      message: `Claim #${claim.claim_id} ${claim.claim_status}`,
      claim: rowAnswer(await claimInContext(context, claim)),
    };
  }

  /** A token takes precedence, also for an admin. @throws DomainError (401) without token and session */
  function accessOf(
    token: string | undefined,
    session: Session | null,
    cookies: ReadonlyMap<string, string>,
  ): ClaimAccess {
    if (token !== undefined)
      return { token, visitor: linkVisitor(context.keys, { session, cookies }, runtime.now()) };
    if (session !== null) return { admin: session.username };
    throw new DomainError('unauthenticated', 'link_required', 'Open the list with its link');
  }
}

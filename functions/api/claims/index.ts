import { historyAnswer, pageAnswer, publicAnswer, rowAnswer } from '#functions/api/claims/answers';
import type { FunctionEnvironment } from '#functions/api/claims/environment';
import { refusedInGerman } from '#functions/api/claims/refusals';
import type { Session } from '#functions/data/administration/admin';
import { createBuyerStore } from '#functions/data/buyers/buyer-store';
import type { Claim } from '#functions/data/claims/claim';
import { createClaimStore } from '#functions/data/claims/claim-store';
import { createEvidenceStore } from '#functions/data/claims/evidence';
import { createAddressStore } from '#functions/data/deliveries/address-store';
import { createNoticeStore } from '#functions/data/deliveries/notice-store';
import { createPoolStore } from '#functions/data/distribution/pool-store';
import { createLeadStore } from '#functions/data/leads/lead-store';
import { createSearchIndex } from '#functions/data/leads/search-index';
import { createListViewStore } from '#functions/data/orders/list-view-store';
import { createOrderStore } from '#functions/data/orders/order-store';
import { createReplacementStore } from '#functions/data/orders/replacement-store';
import { createReservationStore } from '#functions/data/orders/reservation-store';
import { createSourceFigureStore } from '#functions/data/statistics/source-figures';
import { openTable } from '#functions/data/table/open-table';
import { claimInContext, listClaims, pendingClaims } from '#functions/domain/claims/claim-list';
import { type ClaimAccess, claimOfLead, decideClaim, fileClaim } from '#functions/domain/claims/claims';
import { DomainError, notFound } from '#functions/domain/common/errors';
import { saveFeedback } from '#functions/domain/leads/feedback';
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiDeps } from '#functions/http/deps';
import { linkVisitor } from '#functions/http/link-cookie';
import type { Runtime } from '#functions/runtime';
import { claimSchemas } from '#shared/contract/schemas/claims';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const table = openTable(environment, runtime);
  const api = createApiDeps(environment, runtime, table);
  const deps = {
    table,
    claims: createClaimStore(table),
    leads: createLeadStore(table),
    orders: createOrderStore(table),
    reservations: createReservationStore(table),
    buyers: createBuyerStore(table),
    pool: createPoolStore(table),
    notices: createNoticeStore(table),
    replacements: createReplacementStore(table),
    evidence: createEvidenceStore(table),
    listViews: createListViewStore(table),
    searchIndex: createSearchIndex(table),
    sourceFigures: createSourceFigureStore(table),
    addresses: createAddressStore(table, async () => (await api.keys()).person),
    runtime,
  };

  return createApi('claims', claimSchemas, api, {
    fileClaim: ({ query, body, session, cookies }) =>
      refusedInGerman(async () => {
        const claim = await fileClaim(deps, accessOf(query.token, session, cookies), {
          leadId: body.lead_id,
          orderId: body.order_id,
          buyerId: body.buyer_id,
          reason: body.claim_reason,
        });
        return { message: 'Ihre Reklamation wurde eingereicht.', claim: publicAnswer(claim) };
      }),

    getLeadClaim: ({ params, query, session, cookies }) =>
      refusedInGerman(async () => {
        const claim = await claimOfLead(deps, accessOf(query.token, session, cookies), params.leadId);
        return { claim: publicAnswer(claim, await basis(claim)) };
      }),

    saveFeedback: ({ params, body, session, cookies }) =>
      refusedInGerman(async () => {
        await saveFeedback(deps, params.token, linkVisitor(api.keys, { session, cookies }, runtime.now()), {
          leadId: params.leadId,
          feedback: body.feedback,
          who: session?.username ?? 'link',
        });
        return { message: 'Ihre Rückmeldung ist notiert.', feedback: body.feedback };
      }),

    listPendingClaims: async () => {
      const claims = await pendingClaims(deps);
      return { claims: claims.map(rowAnswer) };
    },

    listClaims: async ({ query }) => {
      const { page, limit } = query;
      const found = await listClaims(deps, {
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
      const buyer = await deps.buyers.byId(params.buyerId);
      if (buyer === undefined) throw notFound('Buyer');
      return historyAnswer(buyer, await deps.replacements.ofBuyer(buyer.buyer));
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
      return evidenceAnswer(await knownOfClaim(deps, params.claimId));
    },

    reverseClaim: async ({ params, body, session }) => {
      const { reverseDecision } = await import('#functions/domain/claims/reversal');
      const claim = await reverseDecision(deps, {
        who: session.username,
        claimId: params.claimId,
        notes: body.admin_notes,
      });
      return {
        message: `Decision reversed: claim ${claim.claim_status}`,
        claim: rowAnswer(await claimInContext(deps, claim)),
      };
    },
  });

  /** What the decision of a claim rests on, for the buyer; nothing of one that was decided before anything was kept. */
  async function basis(claim: Claim): Promise<string[]> {
    if (claim.claim_status === 'pending') return [];
    const [{ decided }, { basisOf }] = await Promise.all([
      deps.evidence.ofClaim(claim.claim_id),
      import('#functions/api/claims/evidence'),
    ]);
    return decided === undefined ? [] : basisOf(claim, decided);
  }

  /** @throws DomainError 404, 409 when it is decided already */
  async function decide(
    session: Session,
    input: { claimId: number; status: 'approved' | 'rejected'; notes: string },
  ) {
    const { evidenceNow } = await import('#functions/domain/claims/evidence');
    const seen = await deps.claims.get(input.claimId);
    const evidence = seen?.claim_status === 'pending' ? await evidenceNow(deps, seen) : undefined;
    const claim = await decideClaim(deps, { ...input, who: session.username }, { evidence });
    return {
      message: `Claim ${claim.claim_status}`,
      claim: rowAnswer(await claimInContext(deps, claim)),
    };
  }

  /** The token decides where there is one, also for an admin. @throws DomainError (401) without token and session */
  function accessOf(
    token: string | undefined,
    session: Session | null,
    cookies: ReadonlyMap<string, string>,
  ): ClaimAccess {
    if (token !== undefined)
      return { token, visitor: linkVisitor(api.keys, { session, cookies }, runtime.now()) };
    if (session !== null) return { admin: session.username };
    throw new DomainError('unauthenticated', 'link_required', 'Please open the list by its link');
  }
}

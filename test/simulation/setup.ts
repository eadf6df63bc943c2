/** The table's content when a world begins: buyers, orders, sources, earlier leads. */

import { claimQuotaOf } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import { createCredential, createTemplate } from '#functions/domain/administration/settings';
import { createBuyer } from '#functions/domain/buyers/buyers';
import { decideClaim, fileClaim } from '#functions/domain/claims/claims';
import { ingest } from '#functions/domain/distribution/distribution';
import { createOrder } from '#functions/domain/orders/orders';
import { addFirstAdmins } from '#test/simulation/account-actions';
import { personOf } from '#test/simulation/actors';
import { type Api, createApiProcess } from '#test/simulation/api-process';
import { noteDeadAddresses } from '#test/simulation/claimants';
import { uploadFirst } from '#test/simulation/known-lists';
import { COMES_AGAIN, capsIn, criteriaIn, priceIn, scheduleIn, TEMPLATE } from '#test/simulation/picks';
import { postBefore, setUpSources } from '#test/simulation/sources';
import { ENVIRONMENT, partnerOf, type SimulatedWorld, trackboxOf } from '#test/simulation/world';

/** Buyers, orders and a push credential, created by the product's own use cases. */
export async function setUp(world: SimulatedWorld): Promise<void> {
  const { draws } = world;
  const quiet = world.setUpRuntime();
  const api = createApiProcess(ENVIRONMENT, quiet);
  // Another buyer can receive a refused lead.
  const more = world.isRefusing && draws.chance('more buyers', 0.8) ? 2 : 1;
  const buyers = world.isCrowded ? 1 : Math.min(3, more + draws.below('buyers', 3));
  if (world.hasSources) await setUpSources(world, api);
  const template = await createTemplate(api, 'setup', TEMPLATE);
  const weights = [[100], [50, 50], [60, 30, 10]][buyers - 1] ?? [100];
  for (let at = 0; at < buyers; at += 1) {
    const id = ['north', 'south', 'east'][at] ?? 'west';
    const channel = world.isCrowded ? 0 : draws.below('channel', 5);
    const sendsMail = draws.chance('mail', world.isRefusing ? 0.15 : world.isBouncing ? 0.6 : 0.3);
    const isPostpay = draws.chance('postpay', 0.25);
    const hasOwnPartner = world.isRefusing && draws.chance('own partner', 0.6);
    await createBuyer(api, 'setup', {
      buyer_id: id,
      buyer_email: `${id}@example.org`,
      probability: weights[at] ?? 0,
      price_per_lead: priceIn(world),
      buyer_type: isPostpay ? 'postpay' : 'prepay',
      min_investment: draws.pick('minimum', [null, null, 10_000, 50_000]),
      ...(draws.chance('criteria', 0.3) && criteriaIn(world)),
      manual_review: draws.chance('review', 0.1),
      ...(world.isConsenting && draws.chance('requires consent', 0.6) && { requires_consent: true }),
      use_sellanylead_api: channel !== 1 && !hasOwnPartner,
      ...(hasOwnPartner && partnerOf(at + 1)),
      ...(draws.chance('box', 0.3) && trackboxOf(at + 1)),
      ...(world.isRefusing && draws.chance('gives on', 0.85) && { on_refusal: 'reassign' as const }),
      ...(world.isPaced && draws.chance('has hours', 0.4) && { schedule: scheduleIn(world) }),
      ...(draws.chance('quota', world.isClaiming ? 0.1 : 0.3) && {
        claim_quota_percent: draws.pick('percent', [20, 34, 50]),
      }),
      ...(draws.chance('decides', world.isClaiming ? 0.95 : 0.7) && { auto_decide_claims: true }),
      ...(world.isNotifying && {
        notify_order_nearly_full: draws.chance('news', 0.8),
        notify_weekly_statement: draws.chance('news', 0.8),
      }),
      ...(world.isClaiming && {
        min_days_for_ne: 2,
        ...(draws.chance('deadline', 0.5) && {
          decision_days: 1,
          default_decision: draws.pick('silence', ['approve', 'reject'] as const),
        }),
      }),
      ...(world.isAdministered && draws.chance('code', 0.4) && { link_code: true }),
      ...(sendsMail && { send_email: true, email_template_id: template.id }),
      ...(channel > (hasOwnPartner ? 3 : 0) && {
        use_heroleads_api: true,
        heroleads_api_key: 'key',
        heroleads_lead_type_id: '12',
      }),
    });
    if (draws.chance('order', 0.85))
      await createOrder(api, 'setup', {
        buyerId: id,
        // So that caps are reached before limits.
        leadLimit:
          (world.isCrowded ? 8 : 1) +
          (world.isPaced ? 4 : 0) +
          (world.isRefusing ? 2 : 0) +
          (world.isClaiming ? 3 : 0) +
          draws.below('limit', 4),
        balance: 0,
        caps: capsIn(world),
        renewal: draws.pick(
          'renewal',
          isPostpay ? (['none', 'auto', 'auto'] as const) : (['none', 'ask'] as const),
        ),
      });
  }
  if (world.isKnowing) await uploadFirst(world, api);
  if (world.isAdministered) await addFirstAdmins(api);
  // Leads of orders with caps count for the days of the world.
  if (world.hasSources && !world.isPaced) await postBefore(world, api);
  if (world.isClaiming) await noteDeadAddresses(api, PEOPLE);
  if (draws.chance('earlier leads', world.isClaiming || world.isErasing ? 0.8 : 0.4))
    await earlierLeads(world, longBefore(world, api), 1 + draws.below('earlier leads', 4));
  if (draws.chance('push', 0.4))
    await createCredential(api, 'setup', {
      user_key: 'u',
      app_key: 'a',
      notify_lead_assignment: true,
      notify_lead_claims: true,
    });
}

const FIRST_EARLIER_PERSON = 100;
/** Persons whose addresses may be dead. */
const PEOPLE = 120;
/** Long enough ago that decision deadlines have passed, and some leads can be claimed as not reachable. */
const LONG_BEFORE_MS = 5 * 24 * 3600_000;

/** The same some days before the world begins, if only claims count days. */
function longBefore(world: SimulatedWorld, api: Api): Api {
  if (!(world.isClaiming || world.isErasing) || world.isPaced || world.draws.chance('just before', 0.3))
    return api;
  const now = () => new Date(world.startMs - LONG_BEFORE_MS);
  return { ...api, runtime: { ...api.runtime, now } };
}

/** Earlier leads, some of them claimed, so that replacements are owed and claims are pending from the start. */
async function earlierLeads(world: SimulatedWorld, api: Api, count: number): Promise<void> {
  const { draws } = world;
  for (let number = 0; number < count; number += 1) {
    const again = world.isClaiming && draws.chance('earlier again', 0.5) ? { telefon: COMES_AGAIN } : {};
    const person = { ...personOf(world, FIRST_EARLIER_PERSON + number), ...again };
    const taken = await ingest(api, person, undefined);
    if (taken.status !== 'assigned' || taken.lead_type !== 'original' || !draws.chance('earlier claim', 0.7))
      continue;
    const order = await orderStore.get(api, taken.order.order_id);
    const quota = order && claimQuotaOf(order);
    if (quota !== undefined && quota.used >= quota.allowed) continue;
    const { claim_id } = await fileClaim(
      api,
      { admin: 'setup' },
      {
        leadId: taken.lead_id,
        orderId: taken.order.order_id,
        buyerId: taken.buyer_id,
        reason: 'wrong_number',
      },
    );
    if (draws.chance('earlier decision', 0.6))
      await decideClaim(api, { who: 'setup', claimId: claim_id, status: 'approved', notes: '' });
  }
}

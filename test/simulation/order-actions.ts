/** Actions of admins on buyers, their orders and links, and of buyers who request the next order. */
import { createBuyer, deleteBuyer } from '#functions/domain/buyers/buyers';
import { changeWeights } from '#functions/domain/buyers/weights';
import {
  deleteBuyerAndLinks,
  regenerateLink,
  regenerateToken,
  switchOffLink,
} from '#functions/domain/orders/links';
import {
  changeComments,
  changeLimit,
  createOrder,
  deleteOrder,
  restoreLastDeletedOrder,
} from '#functions/domain/orders/orders';
import { changeRenewal, decideReorder, requestReorder } from '#functions/domain/orders/renewal';
import { RENEWALS } from '#shared/rules/constants';
import { aVisitor } from '#test/factories/links';
import {
  type Actions,
  buyers,
  by,
  capsIn,
  changesBuyer,
  criteriaIn,
  ofBuyer,
  ofOne,
  ofOrder,
  orderOf,
  orders,
  priceIn,
  scheduleIn,
} from '#test/simulation/picks';
import type { SimulatedWorld } from '#test/simulation/world';

const asking = (world: SimulatedWorld) => orders(world).filter(({ renewal }) => renewal === 'ask');
/** Orders with an undecided reorder request. */
const asked = (world: SimulatedWorld) =>
  orders(world).filter(({ reorder, renewed_as }) => reorder !== undefined && renewed_as === undefined);

const NAMES = ['north', 'south', 'east', 'west', 'new'];

export const ORDER_ACTIONS: Actions = {
  'create buyer': by(1, ({ draws }) => {
    const request = {
      buyer_id: draws.pick('name', NAMES),
      buyer_email: 'new@example.org',
      probability: draws.pick('weight', [0, 10, 30, 100]),
      use_sellanylead_api: true,
    };
    const all = draws.chance('all', 0.5);
    return (api, who) => createBuyer(api, who, { ...request, ...(all && { confirm_exclusive: true }) });
  }),
  'weigh buyer': changesBuyer(3, ({ draws }) => ({
    probability: draws.pick('weight', [0, 10, 30, 50, 70, 100]),
    confirm_exclusive: draws.chance('all', 0.5),
  })),
  'weigh several buyers': by(2, (world) => {
    const changes = buyers(world).map(({ buyer_id }) => ({
      buyerId: String(buyer_id),
      weight: world.draws.pick('weight', [0, 10_00, 30_00, 50_00]),
      expected: undefined,
    }));
    const all = world.draws.chance('all', 0.5);
    return changes.length === 0 ? undefined : (api, who) => changeWeights(api, who, changes, all);
  }),
  'change minimum': changesBuyer(2, (world) => ({
    min_investment: world.draws.pick('minimum', [null, 10_000, 50_000]),
    ...(world.draws.chance('criteria', 0.4) && criteriaIn(world)),
  })),
  'change price': changesBuyer(2, (world) => ({ price_per_lead: priceIn(world) })),
  'pause or resume buyer': changesBuyer(3, ({ draws }) => ({ active: draws.chance('active', 0.6) })),
  'review buyer': changesBuyer(1, ({ draws }) => ({ manual_review: draws.chance('review', 0.5) })),
  'rename buyer': changesBuyer(1, ({ draws }) => ({ new_buyer_id: draws.pick('name', NAMES) })),
  'delete buyer': ofBuyer(1, (id) => (api, who) => deleteBuyer(api, who, id)),
  'renew link': ofBuyer(2, (id) => (api, who) => regenerateToken(api, who, id)),
  'renew any link': ofOrder(1, (id) => (api, who) => regenerateLink(api, who, id)),
  'switch off a link': ofOrder(1, (id) => (api, who) => switchOffLink(api, who, id)),
  'delete buyer and links': ofBuyer(1, (id) => (api, who) => deleteBuyerAndLinks(api, who, id)),
  'create order': ofBuyer(4, (id, world) => {
    const { draws } = world;
    const [leadLimit, balance] = [1 + draws.below('limit', 3), draws.below('balance', 2)];
    const caps = capsIn(world);
    const renewal = draws.pick('renewal', RENEWALS);
    return (api, who) => createOrder(api, who, { buyerId: id, leadLimit, balance, caps, renewal });
  }),
  'change renewal': ofOrder(3, (id, { draws }) => {
    const renewal = draws.pick('renewal', RENEWALS);
    return (api, who) => changeRenewal(api, who, id, renewal);
  }),
  'ask for the next order': ofOne(6, 'order', asking, ({ token }, { draws }) => {
    const [limit, isConfirmed] = [1 + draws.below('limit', 3), draws.chance('confirm', 0.6)];
    return async (api, who) => {
      const visitor = aVisitor({ knows: async () => true });
      const asked = await requestReorder(api, visitor, String(token), limit, async () => []);
      if (isConfirmed) await decideReorder(api, who, asked.order_id, 'confirmed');
    };
  }),
  'decide about the next order': ofOne(4, 'order', asked, ({ order_id }, { draws }) => {
    const state = draws.chance('confirm', 0.8) ? 'confirmed' : 'declined';
    return (api, who) => decideReorder(api, who, Number(order_id), state);
  }),
  'change limit': ofBuyer(5, (id, world) => {
    const { draws } = world;
    const order = orders(world).find(({ order_id }) => order_id === orderOf(world, id));
    // The number of received leads or one more, which a concurrent lead would exceed.
    const near = order !== undefined && draws.chance('near', 0.5);
    const limit = near
      ? Math.max(1, Number(order.leads_received) + draws.below('limit', 2))
      : 1 + draws.below('limit', 5);
    return (api, who) => changeLimit(api, who, id, limit);
  }),
  'delete order': ofOne(2, 'order', orders, ({ buyer, order_id }, world) => {
    const owner = world.table.partition('BUYERS').find((one) => one.buyer === buyer);
    return owner && ((api, who) => deleteOrder(api, who, String(owner.buyer_id), Number(order_id)));
  }),
  'restore order': ofBuyer(2, (id) => (api, who) => restoreLastDeletedOrder(api, who, id)),
  comment: ofOrder(1, (id) => (api, who) => changeComments(api, who, id, 'Noted')),
};

/** Further actions of admins if orders have caps and buyers have hours. */
export const PACE_ACTIONS: Actions = {
  'change hours': changesBuyer(3, (world) => ({ schedule: scheduleIn(world) })),
  'change caps': ofBuyer(5, (id, world) => {
    const order = orders(world).find(({ order_id }) => order_id === orderOf(world, id));
    const [limit, caps] = [Number(order?.lead_limit ?? 5), capsIn(world)];
    return (api, who) => changeLimit(api, who, id, limit, { caps });
  }),
};

/** Further actions of admins if partners refuse leads. */
export const REFUSAL_ACTIONS: Actions = {
  'change what becomes of refused leads': changesBuyer(2, ({ draws }) => ({
    on_refusal: draws.chance('gives on', 0.6) ? 'reassign' : 'keep',
  })),
};

/** What admins do to buyers, their orders and links, and buyers who ask for the next order. */
import { createBuyer, deleteBuyer, updateBuyer } from '#functions/domain/buyers/buyers';
import { changeWeights } from '#functions/domain/buyers/weights';
import {
  deleteBuyerAndLinks,
  regenerateToken,
  renewLink,
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
  type Action,
  buyers,
  capsIn,
  ofBuyer,
  orderOf,
  orders,
  pickFrom,
  priceIn,
  scheduleIn,
} from '#test/simulation/picks';

const NAMES = ['north', 'south', 'east', 'west', 'new'];

export const ORDER_ACTIONS: readonly Action[] = [
  {
    name: 'create buyer',
    weight: 1,
    choose: ({ draws }) => {
      const request = {
        buyer_id: draws.pick('name', NAMES),
        buyer_email: 'new@example.org',
        probability: draws.pick('weight', [0, 10, 30, 100]),
        use_sellanylead_api: true,
      };
      const all = draws.chance('all', 0.5);
      return (api, who) => createBuyer(api, who, { ...request, ...(all && { confirm_exclusive: true }) });
    },
  },
  {
    name: 'weigh buyer',
    weight: 3,
    choose: ofBuyer((id, { draws }) => {
      const probability = draws.pick('weight', [0, 10, 30, 50, 70, 100]);
      const confirm_exclusive = draws.chance('all', 0.5);
      return (api, who) => updateBuyer(api, who, id, { probability, confirm_exclusive });
    }),
  },
  {
    name: 'weigh several buyers',
    weight: 2,
    choose: (world) => {
      const changes = buyers(world).map(({ buyer_id }) => ({
        buyerId: String(buyer_id),
        weight: world.draws.pick('weight', [0, 10_00, 30_00, 50_00]),
        seen: undefined,
      }));
      const all = world.draws.chance('all', 0.5);
      return changes.length === 0 ? undefined : (api, who) => changeWeights(api, who, changes, all);
    },
  },
  {
    name: 'change minimum',
    weight: 2,
    choose: ofBuyer((id, { draws }) => {
      const min_investment = draws.pick('minimum', [null, 10_000, 50_000]);
      return (api, who) => updateBuyer(api, who, id, { min_investment });
    }),
  },
  {
    name: 'change price',
    weight: 2,
    choose: ofBuyer((id, world) => {
      const price_per_lead = priceIn(world);
      return (api, who) => updateBuyer(api, who, id, { price_per_lead });
    }),
  },
  {
    name: 'pause or resume buyer',
    weight: 3,
    choose: ofBuyer((id, { draws }) => {
      const active = draws.chance('active', 0.6);
      return (api, who) => updateBuyer(api, who, id, { active });
    }),
  },
  {
    name: 'review buyer',
    weight: 1,
    choose: ofBuyer((id, { draws }) => {
      const manual_review = draws.chance('review', 0.5);
      return (api, who) => updateBuyer(api, who, id, { manual_review });
    }),
  },
  {
    name: 'rename buyer',
    weight: 1,
    choose: ofBuyer((id, { draws }) => {
      const new_buyer_id = draws.pick('name', NAMES);
      return (api, who) => updateBuyer(api, who, id, { new_buyer_id });
    }),
  },
  { name: 'delete buyer', weight: 1, choose: ofBuyer((id) => (api, who) => deleteBuyer(api, who, id)) },
  { name: 'renew link', weight: 2, choose: ofBuyer((id) => (api, who) => regenerateToken(api, who, id)) },
  {
    name: 'renew any link',
    weight: 1,
    choose: (world) => {
      const order = pickFrom(world, 'order', orders(world));
      return order && ((api, who) => renewLink(api, who, Number(order.order_id)));
    },
  },
  {
    name: 'switch off a link',
    weight: 1,
    choose: (world) => {
      const order = pickFrom(world, 'order', orders(world));
      return order && ((api, who) => switchOffLink(api, who, Number(order.order_id)));
    },
  },
  {
    name: 'delete buyer and links',
    weight: 1,
    choose: ofBuyer((id) => (api, who) => deleteBuyerAndLinks(api, who, id)),
  },
  {
    name: 'create order',
    weight: 4,
    choose: ofBuyer((id, world) => {
      const { draws } = world;
      const [leadLimit, balance] = [1 + draws.below('limit', 3), draws.below('balance', 2)];
      const caps = capsIn(world);
      const renewal = draws.pick('renewal', RENEWALS);
      return (api, who) => createOrder(api, who, { buyerId: id, leadLimit, balance, caps, renewal });
    }),
  },
  {
    name: 'change renewal',
    weight: 3,
    choose: (world) => {
      const order = pickFrom(world, 'order', orders(world));
      const renewal = world.draws.pick('renewal', RENEWALS);
      return order && ((api, who) => changeRenewal(api, who, Number(order.order_id), renewal));
    },
  },
  {
    name: 'ask for the next order',
    weight: 6,
    choose: (world) => {
      const { draws } = world;
      const asking = orders(world).filter(({ renewal }) => renewal === 'ask');
      const order = pickFrom(world, 'order', asking);
      const limit = 1 + draws.below('limit', 3);
      const isConfirmed = draws.chance('confirm', 0.6);
      return (
        order &&
        (async (api, who) => {
          const asked = await requestReorder(
            api,
            aVisitor({ knows: async () => true }),
            String(order.token),
            limit,
            async () => [],
          );
          if (isConfirmed) await decideReorder(api, who, asked.order_id, 'confirmed');
        })
      );
    },
  },
  {
    name: 'decide about the next order',
    weight: 4,
    choose: (world) => {
      const order = pickFrom(
        world,
        'order',
        orders(world).filter(({ reorder, renewed_as }) => reorder !== undefined && renewed_as === undefined),
      );
      const state = world.draws.chance('confirm', 0.8) ? 'confirmed' : 'declined';
      return order && ((api, who) => decideReorder(api, who, Number(order.order_id), state));
    },
  },
  {
    name: 'change limit',
    weight: 5,
    choose: ofBuyer((id, world) => {
      const { draws } = world;
      const order = orders(world).find(({ order_id }) => order_id === orderOf(world, id));
      // Just what was received, or one more, is what a lead that comes at the same moment breaks.
      const near = order !== undefined && draws.chance('near', 0.5);
      const limit = near
        ? Math.max(1, Number(order.leads_received) + draws.below('limit', 2))
        : 1 + draws.below('limit', 5);
      return (api, who) => changeLimit(api, who, id, limit);
    }),
  },
  {
    name: 'delete order',
    weight: 2,
    choose: (world) => {
      const order = pickFrom(world, 'order', orders(world));
      const owner = world.table.partition('BUYERS').find(({ buyer }) => buyer === order?.buyer);
      return (
        order &&
        owner &&
        ((api, who) => deleteOrder(api, who, String(owner.buyer_id), Number(order.order_id)))
      );
    },
  },
  {
    name: 'restore order',
    weight: 2,
    choose: ofBuyer((id) => (api, who) => restoreLastDeletedOrder(api, who, id)),
  },
  {
    name: 'comment',
    weight: 1,
    choose: (world) => {
      const order = pickFrom(world, 'order', orders(world));
      return order && ((api, who) => changeComments(api, who, Number(order.order_id), 'Noted'));
    },
  },
];

/** What admins do besides where orders have caps and buyers hours. */
export const PACE_ACTIONS: readonly Action[] = [
  {
    name: 'change hours',
    weight: 3,
    choose: ofBuyer((id, world) => {
      const schedule = scheduleIn(world);
      return (api, who) => updateBuyer(api, who, id, { schedule });
    }),
  },
  {
    name: 'change caps',
    weight: 5,
    choose: ofBuyer((id, world) => {
      const order = orders(world).find(({ order_id }) => order_id === orderOf(world, id));
      const [limit, caps] = [Number(order?.lead_limit ?? 5), capsIn(world)];
      return (api, who) => changeLimit(api, who, id, limit, undefined, caps);
    }),
  },
];

/** What admins do besides where partners refuse leads. */
export const REFUSAL_ACTIONS: readonly Action[] = [
  {
    name: 'change what becomes of refused leads',
    weight: 2,
    choose: ofBuyer((id, { draws }) => {
      const on_refusal = draws.chance('gives on', 0.6) ? 'give_on' : 'keep';
      return (api, who) => updateBuyer(api, who, id, { on_refusal });
    }),
  },
];

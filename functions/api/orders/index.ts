import { euroOrNull } from '#functions/api/common/hundredths';
import { orderRow } from '#functions/api/orders/answers';
import type { FunctionEnvironment } from '#functions/api/orders/environment';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import type { Order } from '#functions/data/orders/order';
import { createOrderCache } from '#functions/data/orders/order-cache';
import * as orderStore from '#functions/data/orders/order-store';
import { type Caps, NO_CAPS } from '#functions/data/orders/pace';
import { notificationsFor } from '#functions/domain/alerts/alerts';
import { requireBuyer } from '#functions/domain/buyers/buyers';
import { invalid, notFound } from '#functions/domain/common/errors';
import { previewOrder } from '#functions/domain/distribution/order-preview';
import { confirmLinkCode, requestNewLink, sendLinkCode } from '#functions/domain/orders/link-access';
import { regenerateLink, switchOffLink } from '#functions/domain/orders/links';
import {
  bySubscriptionToken,
  changeNotificationPreferences,
  type PreferencesByLink,
  viewNotificationPreferences,
} from '#functions/domain/orders/notification-preferences';
import {
  changeComments,
  changeLimit,
  createOrder,
  deleteOrder,
  restoreLastDeletedOrder,
} from '#functions/domain/orders/orders';
import { changeRenewal, decideReorder, renewOrder, requestReorder } from '#functions/domain/orders/renewal';
import { sendStatement } from '#functions/domain/orders/statement-email';
import { type ApiHandler, createApi, WithCookies } from '#functions/http/api';
import { createApiContext } from '#functions/http/context';
import { linkCookie } from '#functions/http/link-cookie';
import { answered } from '#functions/http/message';
import { leadsLink, unsubscribeLinks } from '#functions/platform/links';
import type { Runtime } from '#functions/platform/runtime';
import { orderSchemas } from '#shared/contract/schemas/orders';
import { fieldLabel } from '#shared/rules/field-labels';

type SomeCaps = { readonly [Cap in keyof Caps]?: Caps[Cap] | undefined };

/** Absent caps stay as they are. */
const capsIn = ({ daily_cap, weekly_cap, ends_on }: SomeCaps): Partial<Caps> => ({
  ...(daily_cap !== undefined && { daily_cap }),
  ...(weekly_cap !== undefined && { weekly_cap }),
  ...(ends_on !== undefined && { ends_on }),
});

const preferencesAnswer = ({ preferences, email, closed }: PreferencesByLink) => ({
  preferences,
  email,
  closed: closed?.state ?? null,
});

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const baseUrl = environment.PUBLIC_BASE_URL;
  const api = createApiContext(environment, runtime);
  const context = { ...api, orderCache: createOrderCache(api.table, runtime.now) };
  const subscription = async (by: Parameters<typeof bySubscriptionToken>[2]) =>
    bySubscriptionToken(context, (await api.keys()).unsubscription, by);

  const rowOf = async (order: Order) => {
    const [buyer, poolEntry, comments] = await Promise.all([
      buyerStore.get(context, order.buyer),
      poolStore.entry(context, order.buyer),
      orderStore.comments(context, [order.order_id]),
    ]);
    if (buyer === undefined) throw notFound('Buyer');
    return orderRow(baseUrl, { order, buyer, poolEntry, comments }, runtime.now());
  };

  return createApi('orders', orderSchemas, api, {
    sendLinkCode: async ({ params, address }) => ({
      message: 'Wir haben Ihnen einen Code gesendet.',
      email: await sendLinkCode(context, params.token, address),
    }),
    confirmLinkCode: async ({ params, body, address }) => {
      const { link } = await api.keys();
      const buyer = await confirmLinkCode(context, link, { token: params.token, code: body.code, address });
      const cookie = await linkCookie(link, buyer, { id: runtime.newId(), baseUrl, now: runtime.now() });
      return new WithCookies({ message: 'Dieses Gerät ist jetzt bekannt.' }, [cookie]);
    },
    requestReorder: ({ params, body, visitor }) =>
      answered(
        'Ihre Nachbestellung ist eingegangen.',
        requestReorder(context, visitor, params.token, body.lead_limit, (order, buyerId) =>
          notificationsFor(context, 'order_requested', {
            title: `${buyerId} requests the next order`,
            lines: [
              `${buyerId} requests ${order.reorder?.lead_limit} more leads after order ${order.order_id} (${order.leads_received} of ${order.lead_limit} delivered).`,
              'Confirm or decline the request on the dashboard.',
            ],
          }),
        ),
      ),
    updateOrderRenewal: async ({ params, body, who }) => {
      const order = await changeRenewal(context, who, params.orderId, body.renewal, body.expected);
      // The order may already be full, and is then renewed at once.
      await renewOrder(context, order.buyer);
      return { message: `Order ${order.order_id} updated`, order: await rowOf(order) };
    },
    decideReorder: async ({ params, body, who }) => {
      const { order, next } = await decideReorder(context, who, params.orderId, body.decision);
      return {
        message: reorderMessage(order, next),
        order: await rowOf(order),
        next: next === undefined ? null : await rowOf(next),
      };
    },
    viewNotificationPreferences: async ({ params, visitor }) =>
      preferencesAnswer(await viewNotificationPreferences(context, visitor, params.token)),
    changeNotificationPreferences: async ({ params, body, visitor }) =>
      preferencesAnswer(await changeNotificationPreferences(context, visitor, params.token, body)),
    openUnsubscription: async ({ params }) => ({
      location: unsubscribeLinks(baseUrl, params.subscription).page,
    }),
    unsubscribe: ({ params, address }) => subscription({ token: params.subscription, address, on: false }),
    viewSubscription: ({ params, address }) => subscription({ token: params.subscription, address }),
    subscribeAgain: ({ params, address }) => subscription({ token: params.subscription, address, on: true }),
    requestNewLink: ({ body, address }) =>
      answered(
        'Falls es zu diesem Link eine Liste gibt, ist der neue Link per E-Mail unterwegs.',
        requestNewLink(context, body.token, address),
      ),

    sendStatement: async ({ params, who }) => {
      const email = await sendStatement(context, who, params.buyerId);
      return { message: `Statement sent to ${email}`, email };
    },

    listOrders: async () => {
      const [{ orders, comments }, buyers, poolEntries] = await Promise.all([
        context.orderCache.all(),
        buyerStore.allNames(context),
        poolStore.listed(context),
      ]);
      const byInternalId = new Map(buyers.map((buyer) => [buyer.buyer, buyer]));
      const poolEntryOf = new Map(poolEntries.map((poolEntry) => [poolEntry.buyer, poolEntry]));
      const now = runtime.now();
      orders.sort((a, b) => b.order_id - a.order_id);
      return {
        orders: orders.flatMap((order) => {
          const buyer = byInternalId.get(order.buyer);
          const poolEntry = poolEntryOf.get(order.buyer);
          return buyer ? [orderRow(baseUrl, { order, buyer, poolEntry, comments }, now)] : [];
        }),
      };
    },

    listBuyerOrders: async ({ params }) => {
      const buyer = await buyerStore.byId(context, params.buyerId);
      if (buyer === undefined) throw notFound('Buyer');
      const [orders, poolEntry] = await Promise.all([
        orderStore.ofBuyer(context, buyer.buyer),
        poolStore.entry(context, buyer.buyer),
      ]);
      const ids = orders.map(({ order_id }) => order_id);
      const comments = await orderStore.comments(context, ids);
      return {
        orders: orders
          .map((order) => orderRow(baseUrl, { order, buyer, poolEntry, comments }, runtime.now()))
          .reverse(),
      };
    },

    createOrder: async ({ body, who }) => {
      const balance = body.use_balance === true ? body.balance_amount : 0;
      if (body.use_balance === true && balance < 1) {
        const { balance_count } = await requireBuyer(context, body.buyer_id);
        const text = `Must be a whole number from 1 to ${balance_count}`;
        throw invalid('invalid_balance', `${fieldLabel('balance_amount')}: ${text}`, {
          balance_amount: text,
        });
      }
      const order = await createOrder(context, who, {
        buyerId: body.buyer_id,
        leadLimit: body.lead_limit,
        balance,
        caps: { ...NO_CAPS, ...capsIn(body) },
        renewal: body.renewal,
      });
      const excel_link = leadsLink(baseUrl, order.token);
      return { message: `Order ${order.order_id} created`, order: await rowOf(order), excel_link };
    },

    previewOrder: async ({ query }) => {
      const order = {
        buyerId: query.buyer_id,
        leadLimit: query.lead_limit,
        balance: query.balance_amount,
        caps: { ...NO_CAPS, ...capsIn(query) },
      };
      const [preview, buyer] = await Promise.all([
        previewOrder(context, order),
        requireBuyer(context, query.buyer_id),
      ]);
      const price = buyer.price_per_lead;
      return {
        original_leads: preview.originals,
        replacement_leads: preview.replacements,
        review_leads: preview.reviews,
        revenue: euroOrNull(price === null ? null : price * preview.originals),
        more: preview.more,
      };
    },

    updateOrderLimit: async ({ params, body, who }) => {
      const { lead_limit, expected } = body;
      const order = await changeLimit(context, who, params.buyerId, lead_limit, {
        ...(expected && { expected: { lead_limit: expected.lead_limit, ...capsIn(expected) } }),
        caps: capsIn(body),
      });
      return { message: 'Lead limit saved', order: await rowOf(order) };
    },

    deleteOrder: ({ params, who }) =>
      answered(`Order ${params.orderId} deleted`, deleteOrder(context, who, params.buyerId, params.orderId)),

    restoreLastDeletedOrder: async ({ params, who }) => {
      const order = await restoreLastDeletedOrder(context, who, params.buyerId);
      return { message: `Order ${order.order_id} restored`, order: await rowOf(order) };
    },

    regenerateOrderToken: async ({ params, who }) => {
      const order = await regenerateLink(context, who, params.orderId);
      return { excel_link: leadsLink(baseUrl, order.token) };
    },

    switchOffOrderToken: ({ params, who }) =>
      answered(`Link of order ${params.orderId} turned off`, switchOffLink(context, who, params.orderId)),

    updateOrderComments: async ({ params, body, who }) => {
      await changeComments(context, who, params.orderId, body.comments, body.expected);
      return { message: 'Comments saved', comments: body.comments };
    },
  });
}

function reorderMessage({ order_id, reorder }: Order, next: Order | undefined): string {
  if (next !== undefined) return `Order ${next.order_id} created`;
  return reorder?.state === 'confirmed'
    ? `Confirmed: the next order opens when order ${order_id} is full`
    : `Reorder after order ${order_id} declined`;
}

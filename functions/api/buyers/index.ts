import type { FunctionEnvironment } from '#functions/api/buyers/environment';
import { buyerRow } from '#functions/api/common/buyer-row';
import { hundredths } from '#functions/api/common/hundredths';
import { createTemplateStore } from '#functions/data/administration/template-store';
import type { Buyer } from '#functions/data/buyers/buyer';
import { createBuyerStore } from '#functions/data/buyers/buyer-store';
import { createAddressStore } from '#functions/data/deliveries/address-store';
import { createPoolStore } from '#functions/data/distribution/pool-store';
import { createLeadStore } from '#functions/data/leads/lead-store';
import { createOrderCache } from '#functions/data/orders/order-cache';
import { createOrderStore } from '#functions/data/orders/order-store';
import { createReservationStore } from '#functions/data/orders/reservation-store';
import { openTable } from '#functions/data/table/open-table';
import { buyerInContext, listBuyers } from '#functions/domain/buyers/buyer-list';
import { createBuyer, deleteBuyer, requireBuyer, updateBuyer } from '#functions/domain/buyers/buyers';
import { confirmAddress } from '#functions/domain/buyers/confirm-address';
import { changeWeights } from '#functions/domain/buyers/weights';
import { deleteBuyerAndLinks, regenerateToken } from '#functions/domain/orders/links';
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiDeps } from '#functions/http/deps';
import { leadsLink } from '#functions/links';
import type { Runtime } from '#functions/runtime';
import { buyerSchemas } from '#shared/contract/schemas/buyers';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const table = openTable(environment, runtime);
  const api = createApiDeps(environment, runtime, table);
  const baseUrl = environment.PUBLIC_BASE_URL;
  const deps = {
    table,
    buyers: createBuyerStore(table),
    orders: createOrderStore(table),
    reservations: createReservationStore(table),
    orderCache: createOrderCache(table, runtime.now),
    leads: createLeadStore(table),
    pool: createPoolStore(table),
    templates: createTemplateStore(table),
    addresses: createAddressStore(table, async () => (await api.keys()).person),
    cipher: async () => (await api.keys()).cipher,
    runtime,
  };

  const listRows = async () =>
    (await listBuyers(deps)).map((listed) => buyerRow(baseUrl, listed, runtime.now()));
  const rowOf = async (buyer: Buyer) => buyerRow(baseUrl, await buyerInContext(deps, buyer), runtime.now());

  return createApi('buyers', buyerSchemas, api, {
    listBuyers: async () => ({ buyers: await listRows() }),

    listActiveBuyers: async () => {
      const buyers = await listRows();
      return { buyers: buyers.filter(({ active }) => active === 1) };
    },

    getBuyer: async ({ params }) => ({
      buyer: await rowOf(await requireBuyer(deps, params.buyerId)),
    }),

    createBuyer: async ({ body, session }) => {
      const buyer = await createBuyer(deps, session.username, body);
      return { message: 'Buyer created', buyer: await rowOf(buyer) };
    },

    updateBuyer: async ({ params, body, session }) => {
      const buyer = await updateBuyer(deps, session.username, params.buyerId, body);
      return { message: 'Buyer updated', buyer: await rowOf(buyer) };
    },

    changeWeights: async ({ body, session }) => {
      const changes = body.buyers.map(({ buyer_id, probability, seen }) => ({
        buyerId: buyer_id,
        weight: hundredths(probability),
        seen: hundredths(seen),
      }));
      await changeWeights(deps, session.username, changes, body.confirm_exclusive === true);
      return { message: 'Probabilities saved' };
    },

    deleteBuyer: async ({ params, body, session }) => {
      const removed = body.links === 'off' ? deleteBuyerAndLinks : deleteBuyer;
      await removed(deps, session.username, params.buyerId);
      return { message: 'Buyer deleted' };
    },

    regenerateToken: async ({ params, session }) => {
      const order = await regenerateToken(deps, session.username, params.buyerId);
      return { excel_link: leadsLink(baseUrl, order.token) };
    },

    confirmBuyerAddress: async ({ params, session }) => {
      const buyer = await confirmAddress(deps, session.username, params.buyerId);
      return { message: 'Address confirmed', buyer: await rowOf(buyer) };
    },

    getBalance: async ({ params }) => {
      const buyer = await requireBuyer(deps, params.buyerId);
      return { balance_count: buyer.balance_count };
    },
  });
}

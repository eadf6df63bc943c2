import type { FunctionEnvironment } from '#functions/api/buyers/environment';
import { buyerRow } from '#functions/api/common/buyer-row';
import { hundredths } from '#functions/api/common/hundredths';
import type { Buyer } from '#functions/data/buyers/buyer';
import { createOrderCache } from '#functions/data/orders/order-cache';
import { buyerInContext, listBuyers } from '#functions/domain/buyers/buyer-list';
import { createBuyer, deleteBuyer, requireBuyer, updateBuyer } from '#functions/domain/buyers/buyers';
import { confirmAddress } from '#functions/domain/buyers/confirm-address';
import { changeWeights } from '#functions/domain/buyers/weights';
import { deleteBuyerAndLinks, regenerateToken } from '#functions/domain/orders/links';
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiContext } from '#functions/http/context';
import { leadsLink } from '#functions/platform/links';
import type { Runtime } from '#functions/platform/runtime';
import { buyerSchemas } from '#shared/contract/schemas/buyers';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const api = createApiContext(environment, runtime);
  const baseUrl = environment.PUBLIC_BASE_URL;
  const context = { ...api, orderCache: createOrderCache(api.table, runtime.now) };

  const listRows = async () =>
    (await listBuyers(context)).map((listed) => buyerRow(baseUrl, listed, runtime.now()));
  const rowOf = async (buyer: Buyer) =>
    buyerRow(baseUrl, await buyerInContext(context, buyer), runtime.now());

  return createApi('buyers', buyerSchemas, api, {
    listBuyers: async () => ({ buyers: await listRows() }),

    listActiveBuyers: async () => {
      const buyers = await listRows();
      return { buyers: buyers.filter(({ active }) => active === 1) };
    },

    getBuyer: async ({ params }) => ({ buyer: await rowOf(await requireBuyer(context, params.buyerId)) }),

    createBuyer: async ({ body, who }) => {
      const buyer = await createBuyer(context, who, body);
      return { message: `Buyer ${buyer.buyer_id} added`, buyer: await rowOf(buyer) };
    },

    updateBuyer: async ({ params, body, who }) => {
      const buyer = await updateBuyer(context, who, params.buyerId, body);
      return { message: `Buyer ${buyer.buyer_id} saved`, buyer: await rowOf(buyer) };
    },

    changeWeights: async ({ body, who }) => {
      const changes = body.buyers.map(({ buyer_id, probability, expected }) => ({
        buyerId: buyer_id,
        weight: hundredths(probability),
        expected: hundredths(expected),
      }));
      await changeWeights(context, who, changes, body.confirm_exclusive === true);
      return { message: 'Probabilities saved' };
    },

    deleteBuyer: async ({ params, body, who }) => {
      const removed = body.links === 'off' ? deleteBuyerAndLinks : deleteBuyer;
      await removed(context, who, params.buyerId);
      return { message: `Buyer ${params.buyerId} deleted` };
    },

    regenerateToken: async ({ params, who }) => {
      const order = await regenerateToken(context, who, params.buyerId);
      return { excel_link: leadsLink(baseUrl, order.token) };
    },

    confirmBuyerAddress: async ({ params, who }) => {
      const buyer = await confirmAddress(context, who, params.buyerId);
      return { message: `Address of ${buyer.buyer_id} confirmed`, buyer: await rowOf(buyer) };
    },

    getBalance: async ({ params }) => {
      const buyer = await requireBuyer(context, params.buyerId);
      return { balance_count: buyer.balance_count };
    },
  });
}

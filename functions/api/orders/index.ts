import type { FunctionEnvironment } from '#functions/api/orders/environment';
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiDeps, createTable } from '#functions/http/deps';
import { notYet } from '#functions/http/not-yet';
import type { Runtime } from '#functions/runtime';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const table = createTable(environment);
  return createApi('orders', createApiDeps(environment, runtime, table), {
    listOrders: notYet,
    listBuyerOrders: notYet,
    createOrder: notYet,
    updateOrderLimit: notYet,
    deleteOrder: notYet,
    restoreLastDeletedOrder: notYet,
    updateOrderComments: notYet,
  });
}

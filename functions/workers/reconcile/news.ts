import { createBuyerStore } from '#functions/data/buyers/buyer-store';
import { createNewsStore } from '#functions/data/deliveries/news-store';
import { createNoticeStore } from '#functions/data/deliveries/notice-store';
import { createPoolStore } from '#functions/data/distribution/pool-store';
import { createOrderCache } from '#functions/data/orders/order-cache';
import { createOrderStore } from '#functions/data/orders/order-store';
import { createStatisticsStore } from '#functions/data/statistics/statistics-store';
import type { Table } from '#functions/data/table/table';
import { raiseNews } from '#functions/domain/orders/news';
import type { Runtime } from '#functions/runtime';

/** Tells buyers their news. In a file of its own, which a start does not load. @returns how many letters are to be sent */
export function tellBuyers(table: Table, runtime: Runtime): Promise<number> {
  return raiseNews({
    table,
    buyers: createBuyerStore(table),
    pool: createPoolStore(table),
    orderCache: createOrderCache(table, runtime.now),
    orders: createOrderStore(table),
    statistics: createStatisticsStore(table),
    news: createNewsStore(table),
    notices: createNoticeStore(table),
    runtime,
  });
}

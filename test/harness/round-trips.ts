import type { Table } from '#functions/data/table/table';

/** A table that counts its sequential round trips: calls at the same time count as one. */
export function withRoundTrips(table: Table): { table: Table; roundTrips: () => number } {
  let deepest = 0;
  let finished = 0;
  const proxy = new Proxy(table, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return async (...args: unknown[]) => {
        const depth = finished + 1;
        deepest = Math.max(deepest, depth);
        const result: unknown = await value.apply(target, args);
        finished = Math.max(finished, depth);
        return result;
      };
    },
  });
  return { table: proxy, roundTrips: () => deepest };
}

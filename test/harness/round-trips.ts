import type { Table } from '#functions/data/table/table';
import { aroundCalls } from '#test/harness/distribution';

/** A table that counts its sequential round trips: concurrent calls count as one. */
export function withRoundTrips(table: Table): { table: Table; roundTrips: () => number } {
  let deepest = 0;
  let finished = 0;
  const proxy = aroundCalls(table, async (send) => {
    const depth = finished + 1;
    deepest = Math.max(deepest, depth);
    const result = await send();
    finished = Math.max(finished, depth);
    return result;
  });
  return { table: proxy, roundTrips: () => deepest };
}

/** Calls at once; more would only wait for connections to the table, and services count what comes at once. */
const MAX_CONCURRENT = 20;

/** The results in the order of the items. @throws the first error */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += MAX_CONCURRENT)
    results.push(...(await Promise.all(items.slice(start, start + MAX_CONCURRENT).map(work))));
  return results;
}

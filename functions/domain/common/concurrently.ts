/** More would only wait for connections to the table, and services limit parallel calls. */
const MAX_CONCURRENT = 20;

/** @returns the results in the order of the items @throws the first error, after which no further call begins */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  atOnce = MAX_CONCURRENT,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  let hasFailed = false;
  const worker = async () => {
    for (const [at, item] of left) {
      if (hasFailed) return;
      try {
        results[at] = await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}

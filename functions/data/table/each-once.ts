import type { Item, Page, Query, Table } from '#functions/data/table/table';

const PAGE_ITEMS = 500;

/** Yields each entry once, although a concurrent change may move it within or between the lists. */
export async function* eachOnce<Entry>(
  table: Pick<Table, 'query'>,
  lists: readonly Pick<Query, 'index' | 'partition'>[],
  parse: (item: Item) => Entry,
  nameOf: (entry: Entry) => string,
): AsyncGenerator<readonly Entry[]> {
  const seen = new Set<string>();
  for (const list of lists) {
    let after: Item | undefined;
    do {
      const page: Page = await table.query({ ...list, limit: PAGE_ITEMS, ...(after && { after }) });
      const fresh = page.items.map(parse).filter((entry) => !seen.has(nameOf(entry)));
      for (const entry of fresh) seen.add(nameOf(entry));
      yield fresh;
      after = page.next;
    } while (after !== undefined);
  }
}

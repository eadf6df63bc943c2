/** The referee's input: stored items, without the product's schemas. */
import { Violation } from '#test/simulation/kernel';

export type Item = Readonly<Record<string, unknown>>;

/** A write that took effect. */
export interface Change {
  readonly pk: string;
  readonly sk: string;
  readonly before?: Item | undefined;
  readonly after?: Item | undefined;
}

export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

export const number = (item: Item | undefined, name: string) => Number(item?.[name] ?? 0);
export function text(item: Item | undefined, name: string): string {
  const value = item?.[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
export const instant = (item: Item | undefined, name: string) => Date.parse(text(item, name));

type Keyed = { readonly pk?: unknown; readonly sk?: unknown };
export const isOrder = ({ pk, sk }: Keyed) => String(pk).startsWith('ORDERS#') && !String(sk).includes('#');
export const isPoolEntry = ({ pk, sk }: Keyed) => pk === 'POOL' && String(sk).startsWith('ENTRY#');

export type Stored = ReturnType<typeof stored>;

/** All items, and those of a kind by their ID; decisions by the key of their lead. */
export function stored(items: readonly Item[]) {
  const by = (name: string, is: (item: Item) => boolean): ReadonlyMap<unknown, Item> =>
    new Map(items.filter(is).map((item) => [item[name], item]));
  return {
    items,
    leads: by('lead_id', ({ sk }) => sk === 'LEAD'),
    decisions: by('pk', ({ sk }) => sk === 'DECISION'),
    orders: by('order_id', isOrder),
    sources: by('source', ({ pk, sk }) => sk === 'SOURCE' && String(pk).startsWith('SOURCE#')),
    pool: items.filter(isPoolEntry),
  };
}

/** @throws Violation unless it holds */
export function hold(holds: boolean, otherwise: () => string): void {
  if (!holds) throw new Violation(otherwise());
}

/** The value of a key, created on first use. */
export function valueOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

/** @returns the new sum */
export function add<Key>(sums: Map<Key, number>, key: Key, by: number): number {
  const sum = (sums.get(key) ?? 0) + by;
  sums.set(key, sum);
  return sum;
}

/** How many more leads an order accepts: the rest of its limit and the owed replacements. */
export const leftOf = (order: Item | undefined) =>
  order === undefined || order.deleted_at !== null
    ? 0
    : Math.max(0, number(order, 'lead_limit') - number(order, 'leads_received')) +
      number(order, 'reimbursement_pending');

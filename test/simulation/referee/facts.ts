/** What the referee reads: items as the table holds them, without the product's schemas. */
import { Violation } from '#test/simulation/kernel';

export type Item = Readonly<Record<string, unknown>>;

/** A write, as it took effect. */
export interface Change {
  readonly pk: string;
  readonly sk: string;
  readonly before?: Item | undefined;
  readonly after?: Item | undefined;
}

export const number = (item: Item | undefined, name: string) => Number(item?.[name] ?? 0);
export function text(item: Item | undefined, name: string): string {
  const value = item?.[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
export const instant = (item: Item | undefined, name: string) => Date.parse(text(item, name));
export const isOrder = ({ pk, sk }: Pick<Change, 'pk' | 'sk'>) =>
  pk.startsWith('ORDERS#') && !sk.includes('#');

/** @throws Violation unless it holds */
export function hold(holds: boolean, otherwise: () => string): void {
  if (!holds) throw new Violation(otherwise());
}

/** How many more leads an order takes: the rest of its limit and the replacements that it owes. */
export const leftOf = (order: Item | undefined) =>
  order === undefined || order.deleted_at !== null
    ? 0
    : Math.max(0, number(order, 'lead_limit') - number(order, 'leads_received')) +
      number(order, 'reimbursement_pending');

/** The places of an order that are noted on it: by number of the lead, whose lead and attempt it is. */
export function notesOf(order: Item | undefined): Map<number, string> {
  const notes = new Map<number, string>();
  for (const name of ['reservations', 'replacement_reservations'])
    for (const [key, sequence] of Object.entries((order?.[name] ?? {}) as Record<string, number>))
      notes.set(sequence, key);
  return notes;
}

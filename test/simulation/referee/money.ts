/** What is owed and what is to be paid: prices in cents, replacements, balances, statements. */
import { dayAt } from '#test/simulation/referee/berlin';
import { type Change, hold, type Item, instant, isOrder, number, text } from '#test/simulation/referee/facts';

/** A statement as the product makes it; cents. */
export interface Told {
  readonly buyer: number;
  readonly sum: number;
  readonly balance: number;
  /** How many replacements it lists as owed. */
  readonly owed: number;
  readonly orders: readonly { readonly order: number; readonly sum: number | null; readonly owed: number }[];
}

export class Money {
  /** Every price that a buyer has had. */
  readonly #prices = new Map<number, Set<unknown>>();
  /** Replacements owed, by order or balance. */
  readonly #owed = new Map<string, number>();
  /** The last entry of each buyer, and whose came with an earlier instant than one before: clocks differ. */
  readonly #last = new Map<string, string>();
  readonly #isMixed = new Set<number>();
  readonly #asked: ReadonlySet<unknown>;

  /** @param asked the prices that anybody asks for, as decimal numbers */
  constructor(asked: readonly string[]) {
    this.#asked = new Set([null, ...asked.map((price) => Number(price.replace('.', '')))]);
  }

  follow(changes: readonly Change[]): void {
    for (const { pk, sk, after } of changes)
      if (pk === 'BUYERS' && after !== undefined) {
        const [buyer, price] = [number(after, 'buyer'), after.price_per_lead];
        this.#prices.set(buyer, (this.#prices.get(buyer) ?? new Set()).add(price));
        hold(this.#asked.has(price), () => `nobody asked for the price ${String(price)} of buyer ${buyer}`);
      } else if (pk.startsWith('REPLACEMENTS#') && after !== undefined) {
        if (sk < (this.#last.get(pk) ?? '')) this.#isMixed.add(number(after, 'buyer'));
        this.#last.set(pk, sk);
        this.#replacement(after);
      }
    for (const change of changes) if (isOrder(change)) this.#order(change);
  }

  #order({ before, after }: Change): void {
    const prices = this.#prices.get(number(after, 'buyer'));
    hold(
      before === undefined
        ? prices?.has(after?.price_per_lead) === true
        : before.price_per_lead === after?.price_per_lead,
      () =>
        `order ${number(after, 'order_id')} has the price ${String(after?.price_per_lead)}, which is not its buyer's`,
    );
  }

  /** Nothing is delivered or moved that was not owed. */
  #replacement(entry: Item): void {
    const amount = number(entry, 'amount');
    const balance = `balance ${text(entry, 'buyer')}`;
    const order = entry.order_id === null ? balance : `order ${number(entry, 'order_id')}`;
    const move = (where: string, by: number) => {
      const owed = (this.#owed.get(where) ?? 0) + by;
      this.#owed.set(where, owed);
      hold(owed >= 0, () => `a replacement of ${where} is delivered or moved that was not owed`);
    };
    switch (text(entry, 'kind')) {
      case 'credit':
      case 'delivery_undone':
        return move(order, amount);
      case 'delivery':
      case 'credit_undone':
        return move(order, -amount);
      case 'attach':
      case 'take_back':
        move(balance, -amount);
        return move(order, amount);
      case 'return':
        move(order, -amount);
        return move(balance, amount);
    }
  }

  /** Counters of orders and buyers that are not the sum of what was given and taken. */
  unbalanced(items: readonly Item[]): string[] {
    return items.flatMap((item) => {
      const isBuyer = item.pk === 'BUYERS';
      if (!isBuyer && !isOrder(item as never)) return [];
      const where = isBuyer ? `balance ${number(item, 'buyer')}` : `order ${number(item, 'order_id')}`;
      const stored = number(item, isBuyer ? 'balance_count' : 'reimbursement_pending');
      const owed = this.#owed.get(where) ?? 0;
      return stored === owed ? [] : [`${where} owes ${stored} replacements, and its entries sum to ${owed}`];
    });
  }

  /** Figures and statements that are not the sums of leads, claims and prices. */
  miscounted(items: readonly Item[], statements: readonly Told[]): string[] {
    const { totals, months, sums } = summed(items);
    const found: string[] = [];
    const compare = (
      what: string,
      said: Readonly<Record<string, number>>,
      is: Readonly<Record<string, number>>,
    ) => {
      for (const name of new Set([...Object.keys(said), ...Object.keys(is)]))
        if ((said[name] ?? 0) !== (is[name] ?? 0))
          found.push(`${what}: ${name} is ${said[name] ?? 0}, and should be ${is[name] ?? 0}`);
    };
    const said = { totals: {} as Record<string, number>, months: {} as Record<string, number> };
    const add = (to: Record<string, number>, name: string, by: number) => (to[name] = (to[name] ?? 0) + by);
    for (const item of items)
      if (item.pk === 'STATISTICS' && text(item, 'sk').startsWith('TOTALS'))
        for (const name of Object.keys(totals)) add(said.totals, name, number(item, name));
      else if (item.pk === 'ACCOUNTS')
        for (const [name, by] of Object.entries(JSON.parse(text(item, 'sums')) as Record<string, number>))
          add(said.months, `${text(item, 'month')} ${number(item, 'buyer')} ${name}`, by);
    compare('the totals', said.totals, totals);
    compare('the account of a month', said.months, months);
    for (const { buyer, sum, balance, owed, orders } of statements) {
      const is = {
        sum: 0,
        balance: this.#owed.get(`balance ${buyer}`) ?? 0,
        owed: this.#owed.get(`balance ${buyer}`) ?? 0,
      };
      for (const one of orders) {
        const [its, owes] = [sums.get(one.order) ?? 0, this.#owed.get(`order ${one.order}`) ?? 0];
        compare(
          `the statement on order ${one.order}`,
          { sum: one.sum ?? 0, owed: one.owed },
          { sum: its, owed: owes },
        );
        is.sum += its;
        is.owed += owes;
      }
      // Which replacement is owed is told by the instants of the entries.
      compare(
        `the statement of buyer ${buyer}`,
        { sum, balance, owed: this.#isMixed.has(buyer) ? is.owed : owed },
        is,
      );
    }
    return found;
  }
}

/** Everything in cents: what is paid for are originals that were assigned and not deleted. */
function summed(items: readonly Item[]) {
  const prices = new Map(
    items.flatMap((item) => (isOrder(item as never) ? [[item.order_id, item.price_per_lead] as const] : [])),
  );
  const totals: Record<string, number> = { assigned: 0, pending: 0, discarded: 0, revenue: 0, priced: 0 };
  const months: Record<string, number> = {};
  const sums = new Map<number, number>();
  const count = (of: Item, at: string, figure: string) => {
    const name = `${dayAt(instant(of, at)).slice(0, 7)} ${number(of, 'buyer')} ${figure}:${number(of, 'order_id')}`;
    months[name] = (months[name] ?? 0) + 1;
  };
  for (const item of items)
    if (item.sk === 'LEAD') {
      const status = text(item, 'status');
      if (totals[status] !== undefined) totals[status] += 1;
      if (status !== 'assigned') continue;
      const isPaid = item.lead_type === 'original';
      count(item, 'assigned_at', isPaid ? 'originals' : 'replacements');
      const price = prices.get(item.order_id);
      if (!isPaid || typeof price !== 'number') continue;
      totals.revenue = (totals.revenue ?? 0) + price;
      totals.priced = (totals.priced ?? 0) + 1;
      sums.set(number(item, 'order_id'), (sums.get(number(item, 'order_id')) ?? 0) + price);
    } else if (item.sk === 'CLAIM') {
      count(item, 'created_at', 'claims');
      if (item.claim_status !== 'pending') count(item, 'created_at', text(item, 'claim_status'));
    }
  return { totals, months, sums };
}

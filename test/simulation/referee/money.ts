/** Debts and billing: prices in cents, replacements, balances, statements. */
import { dayAt } from '#test/simulation/referee/berlin';
import {
  add,
  type Change,
  hold,
  type Item,
  instant,
  isOrder,
  number,
  type Stored,
  text,
  valueOf,
} from '#test/simulation/referee/facts';

/** A statement from the product; amounts in cents. */
export interface Notified {
  readonly buyer: number;
  readonly sum: number;
  readonly balance: number;
  /** The owed replacements in it. */
  readonly owed: number;
  readonly orders: readonly { readonly order: number; readonly sum: number | null; readonly owed: number }[];
}

/** Entries that raise or lower what an order owes; some move it between the order and the buyer's balance. */
const MORE = new Set<unknown>(['credit', 'delivery_undone', 'attach', 'take_back']);
const LESS = new Set<unknown>(['delivery', 'credit_undone', 'return']);
const MOVED = new Set<unknown>(['attach', 'take_back', 'return']);
const STATES = new Set(['assigned', 'pending', 'discarded']);

const orderName = (id: unknown) => `order ${String(id)}`;
const balanceName = (buyer: unknown) => `balance ${String(buyer)}`;
const wrong = (what: string, said: number, is: number) =>
  said === is ? [] : [`${what}: ${said} is said, and it should be ${is}`];

/** Sums are stored by the first parts of their names. */
const figuresOf = (item: Item) =>
  Object.entries(JSON.parse(text(item, 'sums')) as Record<string, Record<string, number>>).flatMap(
    ([group, figures]) =>
      Object.entries(figures).map(([name, by]) => [group === '' ? name : `${group}:${name}`, by] as const),
  );

/** @param asked all requested prices, as decimal numbers */
export function createMoney(asked: readonly string[]) {
  const askedCents = new Set<unknown>([null, ...asked.map((price) => Number(price.replace('.', '')))]);
  /** Every price that a buyer has had. */
  const prices = new Map<number, Set<unknown>>();
  /** Replacements owed, by order or balance. */
  const owed = new Map<string, number>();
  const owes = (whose: string) => owed.get(whose) ?? 0;
  /** Each buyer's last entry, and the buyers with an entry earlier than the one before: clocks differ. */
  const last = new Map<string, string>();
  const mixed = new Set<number>();

  function ofBuyer(after: Item): void {
    const [buyer, price] = [number(after, 'buyer'), after.price_per_lead];
    valueOf(prices, buyer, () => new Set()).add(price);
    hold(askedCents.has(price), () => `nobody asked for the price ${String(price)} of buyer ${buyer}`);
  }

  function ofOrder({ before, after }: Change): void {
    const price = after?.price_per_lead;
    hold(
      before === undefined
        ? prices.get(number(after, 'buyer'))?.has(price) === true
        : before.price_per_lead === price,
      () => `order ${number(after, 'order_id')} has the price ${String(price)}, which is not its buyer's`,
    );
  }

  /** Only owed replacements are delivered or moved. */
  function ofReplacement({ pk, sk }: Change, after: Item): void {
    const { buyer, order_id, kind } = after;
    if (sk < (last.get(pk) ?? '')) mixed.add(Number(buyer));
    last.set(pk, sk);
    const change = (whose: string, by: number) =>
      hold(
        add(owed, whose, by) >= 0,
        () => `a replacement of ${whose} is delivered or moved although none was owed`,
      );
    const sign = Number(MORE.has(kind)) - Number(LESS.has(kind));
    const by = sign * number(after, 'amount');
    if (MOVED.has(kind)) change(balanceName(buyer), -by);
    change(order_id === null ? balanceName(buyer) : orderName(order_id), by);
  }

  return {
    follow(changes: readonly Change[]): void {
      for (const change of changes) {
        const { pk, after } = change;
        if (pk === 'BUYERS' && after !== undefined) ofBuyer(after);
        else if (pk.startsWith('REPLACEMENTS#') && after !== undefined) ofReplacement(change, after);
      }
      for (const change of changes) if (isOrder(change)) ofOrder(change);
    },

    /** Counters of orders and buyers that differ from the sum of their entries. */
    unbalanced({ items, orders }: Stored): string[] {
      const buyers = items.filter(({ pk }) => pk === 'BUYERS');
      return [
        ...[...orders].flatMap(([id, order]) =>
          wrong(
            `replacements of ${orderName(id)}`,
            number(order, 'reimbursement_pending'),
            owes(orderName(id)),
          ),
        ),
        ...buyers.flatMap(({ buyer, balance_count }) =>
          wrong(`replacements of ${balanceName(buyer)}`, Number(balance_count), owes(balanceName(buyer))),
        ),
      ];
    },

    /**
     * Figures and statements that differ from the sums of leads, claims and prices: billed are originals that were not
     * deleted.
     */
    miscounted({ items, leads, orders }: Stored, statements: readonly Notified[]): string[] {
      const [said, is, sums] = [
        new Map<string, number>(),
        new Map<string, number>(),
        new Map<unknown, number>(),
      ];
      const inMonth = (month: string, { buyer }: Item, figure: string) =>
        `${figure} of buyer ${String(buyer)} in ${month}`;
      const count = (item: Item, at: string, figure: string) =>
        add(
          is,
          inMonth(dayAt(instant(item, at)).slice(0, 7), item, `${figure}:${number(item, 'order_id')}`),
          1,
        );
      for (const item of items)
        if (item.pk === 'STATISTICS' && String(item.sk).startsWith('totals'))
          for (const [name, by] of figuresOf(item)) add(said, name, by);
        else if (item.pk === 'ACCOUNTS') {
          const [buyer, month = ''] = text(item, 'sk').split('#');
          for (const [figure, by] of figuresOf(item)) add(said, inMonth(month, { buyer }, figure), by);
        } else if (item.sk === 'CLAIM')
          for (const figure of ['claims', text(item, 'claim_status')])
            if (figure !== 'pending') count(item, 'created_at', figure);
      for (const lead of leads.values()) {
        const status = text(lead, 'status');
        if (STATES.has(status)) add(is, status, 1);
        if (status !== 'assigned') continue;
        const isOriginal = lead.lead_type === 'original';
        count(lead, 'assigned_at', isOriginal ? 'originals' : 'replacements');
        const price = orders.get(lead.order_id)?.price_per_lead;
        if (!isOriginal || typeof price !== 'number') continue;
        add(is, 'revenue', price);
        add(is, 'priced', 1);
        add(sums, lead.order_id, price);
      }
      const names = [...new Set([...said.keys(), ...is.keys()])];
      return [
        ...names.flatMap((name) => wrong(`the figure ${name}`, said.get(name) ?? 0, is.get(name) ?? 0)),
        ...statements.flatMap(({ buyer, orders: its, ...one }) => {
          const [what, balance] = [`the statement of buyer ${buyer}:`, owes(balanceName(buyer))];
          const sum = its.reduce((all, { order }) => all + (sums.get(order) ?? 0), 0);
          const whole = its.reduce((all, { order }) => all + owes(orderName(order)), balance);
          return [
            ...wrong(`${what} sum`, one.sum, sum),
            ...wrong(`${what} balance`, one.balance, balance),
            // The times of the entries decide which replacement is owed.
            ...(mixed.has(buyer) ? [] : wrong(`${what} owed`, one.owed, whole)),
            ...its.flatMap(({ order, ...own }) => [
              ...wrong(`${what} sum of order ${order}`, own.sum ?? 0, sums.get(order) ?? 0),
              ...wrong(`${what} owed by order ${order}`, own.owed, owes(orderName(order))),
            ]),
          ];
        }),
      ];
    },
  };
}

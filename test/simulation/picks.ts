/** A person's actions, and their objects as currently stored in the table. */
import type { Caps } from '#functions/data/orders/pace';
import type { Item } from '#functions/data/table/table';
import { updateBuyer } from '#functions/domain/buyers/buyers';
import { DomainError } from '#functions/domain/common/errors';
import type { Api } from '#test/simulation/api-process';
import { Violation } from '#test/simulation/kernel';
import type { Known } from '#test/simulation/known';
import { isOrder } from '#test/simulation/referee/facts';
import { PRICES, type SimulatedWorld } from '#test/simulation/world';

/** @param who the admin */
export type Deed = (api: Api, who: string) => Promise<unknown>;

export interface Action {
  /** Its weight relative to others. */
  readonly weight: number;
  /** @returns the action, or undefined if there is nothing to apply it to */
  readonly choose: (world: SimulatedWorld) => Deed | undefined;
}
export type Actions = Readonly<Record<string, Action>>;

export const by = (weight: number, choose: Action['choose']): Action => ({ weight, choose });

/** Fields with which buyers get e-mails. */
export const TEMPLATE = {
  name: 'Leads',
  smtp_host: 'mail.example',
  smtp_port: 587,
  smtp_user: 'u@mail.example',
  smtp_pass: 'p',
  smtp_subject: 'A lead',
  smtp_body: 'Hello',
};
type BuyerChange = Parameters<typeof updateBuyer>[3];
export const LAST_NAMES = ['Muster', 'Groß', 'Öztürk', 'Lange'];
/** The phone number of a frequent person with different addresses, so that duplicate claims are decidable automatically. */
export const COMES_AGAIN = '+491709999999';

/** Hours around the beginning of worlds, and around midnight. */
const SCHEDULES = [
  null,
  { weekdays: [1, 2, 3, 4, 5], from: '08:00', to: '10:01', holidays_off: true },
  { weekdays: [1, 2, 3, 4, 5, 6, 7], from: '10:01', to: '10:03', holidays_off: false },
  { weekdays: [1, 7], from: '00:00', to: '24:00', holidays_off: false },
  { weekdays: [1, 2, 3, 4, 5, 6, 7], from: '00:01', to: '23:59', holidays_off: true },
  { weekdays: [1, 4, 7], from: '02:00', to: '03:00', holidays_off: false },
];
export const scheduleIn = ({ draws }: SimulatedWorld) => {
  const schedule = draws.pick('hours', SCHEDULES);
  return schedule && { ...schedule, weekdays: [...schedule.weekdays] };
};

/** Never below a drawn minimum. */
export const criteriaIn = (world: SimulatedWorld) => ({
  max_investment: world.draws.pick('maximum', [null, 60_000]),
  min_term: world.draws.pick('shortest', [null, 24]),
  max_term: world.draws.pick('longest', [null, 36]),
  ...sourcesIn(world),
});

/** One source allowed or excluded, or none. */
function sourcesIn({ draws, table }: SimulatedWorld) {
  const sources = table.partition('SOURCES').map(({ source }) => Number(source));
  const list =
    sources.length > 0 && draws.pick('listed', ['sources_allowed', 'sources_excluded', false] as const);
  return {
    sources_allowed: [],
    sources_excluded: [],
    ...(list && { [list]: [draws.pick('listed source', sources)] }),
  };
}

/** The price of a lead, in euro. */
export const priceIn = ({ draws }: SimulatedWorld) =>
  draws.chance('no price', 0.1) ? null : Number(draws.pick('price', PRICES));

/** Caps for an order; none if orders have none. */
export function capsIn({ draws, isPaced }: SimulatedWorld): Caps | undefined {
  if (!isPaced) return undefined;
  return {
    daily_cap: draws.pick('daily cap', [null, 1, 2, 3]),
    weekly_cap: draws.pick('weekly cap', [null, 2, 3]),
    ends_on: draws.pick('end date', [null, null, null, '2027-01-01', '2027-01-08']),
  };
}

export const orders = (world: SimulatedWorld): Item[] =>
  Array.from({ length: 16 }, (_, shard) => world.table.partition(`ORDERS#${shard}`))
    .flat()
    .filter(isOrder);
export const buyers = (world: SimulatedWorld) =>
  world.table.partition('BUYERS').filter(({ deleted_at }) => deleted_at === null);
export const leads = (world: SimulatedWorld, status: string) =>
  [...world.table.items()].filter((item) => item.sk === 'LEAD' && item.status === status);
export const claims = (world: SimulatedWorld) =>
  [...world.table.items()].filter((item) => item.sk === 'CLAIM' && item.claim_status === 'pending');

export function pickFrom(world: SimulatedWorld, name: string, list: readonly Item[]): Item | undefined {
  return world.isFocused || list.length === 0 ? list[0] : world.draws.pick(name, list);
}
export function buyerId(world: SimulatedWorld): string | undefined {
  const buyer = pickFrom(world, 'buyer', buyers(world));
  return buyer && String(buyer.buyer_id);
}
/** The open or latest order of the buyer. */
export function orderOf(world: SimulatedWorld, id: string): unknown {
  return world.table.partition('POOL').find(({ buyer_id }) => buyer_id === id)?.order_id;
}
export const ofBuyer = (weight: number, act: (id: string, world: SimulatedWorld) => Deed) =>
  by(weight, (world) => {
    const id = buyerId(world);
    return id === undefined ? undefined : act(id, world);
  });
/** Edits a buyer. */
export const changesBuyer = (weight: number, change: (world: SimulatedWorld) => BuyerChange) =>
  ofBuyer(weight, (id, world) => {
    const changed = change(world);
    return (api, who) => updateBuyer(api, who, id, changed);
  });
/**
 * @param name of the draw
 * @param among the existing things
 */
export const ofOne = (
  weight: number,
  name: string,
  among: (world: SimulatedWorld) => readonly Item[],
  act: (item: Item, world: SimulatedWorld) => Deed | undefined,
) =>
  by(weight, (world) => {
    const item = pickFrom(world, name, among(world));
    return item && act(item, world);
  });
export const ofOrder = (weight: number, act: (order: number, world: SimulatedWorld) => Deed) =>
  ofOne(weight, 'order', orders, ({ order_id }, world) => act(Number(order_id), world));
export const ofLead = (
  weight: number,
  status: string,
  act: (id: string, world: SimulatedWorld) => Deed | undefined,
) =>
  ofOne(
    weight,
    `lead ${status}`,
    (world) => leads(world, status),
    ({ lead_id }, world) => act(String(lead_id), world),
  );
/** Items whose sort key begins with this. */
export const itemsLike = ({ table }: SimulatedWorld, sort: string) =>
  [...table.items()].filter(({ sk }) => String(sk).startsWith(sort));
export const ofSource = (weight: number, act: (source: number, world: SimulatedWorld) => Deed) =>
  ofOne(
    weight,
    'source',
    ({ table }) => table.partition('SOURCES'),
    ({ source }, world) => act(Number(source), world),
  );
/**
 * Opens a link or session that must no longer work.
 * @param what describes the violation
 */
export const ofFormer = (
  weight: number,
  those: (known: Known) => readonly string[],
  what: string,
  open: (api: Api, token: string) => Promise<unknown>,
) =>
  by(weight, (world) => {
    const former = those(world.known);
    if (former.length === 0) return undefined;
    const token = world.draws.pick(what, former);
    return async (api) => {
      try {
        await open(api, token);
      } catch (error) {
        if (error instanceof DomainError) return;
        throw error;
      }
      world.scheduler.violation ??= new Violation(`a ${what}: ${token.slice(0, 6)}`);
    };
  });

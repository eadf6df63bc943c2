/** What an action of a person is, and what it is done to: things as they stand in the table at that moment. */
import type { Caps } from '#functions/data/orders/pace';
import type { Item } from '#functions/data/table/table';
import type { Api } from '#test/simulation/api-process';
import { PRICES, type SimulatedWorld } from '#test/simulation/world';

/** @param who the admin */
export type Deed = (api: Api, who: string) => Promise<unknown>;

export interface Action {
  readonly name: string;
  /** How much more often than another one. */
  readonly weight: number;
  /** @returns what is done, or undefined where there is nothing to do it to */
  readonly choose: (world: SimulatedWorld) => Deed | undefined;
}

/** By which buyers get mails. */
export const TEMPLATE = {
  name: 'Leads',
  smtp_host: 'mail.example',
  smtp_port: 587,
  smtp_user: 'u@mail.example',
  smtp_pass: 'p',
  smtp_subject: 'A lead',
  smtp_body: 'Hello',
};
export const LAST_NAMES = ['Muster', 'Groß', 'Öztürk', 'Lange'];
/** The number of somebody who comes often, under other addresses: claims of duplicates prove themselves. */
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

/** What a buyer pays for a lead, in euro. */
export const priceIn = ({ draws }: SimulatedWorld) =>
  draws.chance('no price', 0.1) ? null : Number(draws.pick('price', PRICES));

/** Caps for an order: none where orders have none. */
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
    .filter(({ sk }) => !String(sk).includes('#'));
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
/** The order of the buyer that is open, or was last. */
export function orderOf(world: SimulatedWorld, id: string): unknown {
  return world.table.partition('POOL').find(({ buyer_id }) => buyer_id === id)?.order_id;
}
export const ofBuyer = (act: (id: string, world: SimulatedWorld) => Deed) => (world: SimulatedWorld) => {
  const id = buyerId(world);
  return id === undefined ? undefined : act(id, world);
};
export const ofLead =
  (status: string, act: (id: string, world: SimulatedWorld) => Deed | undefined) =>
  (world: SimulatedWorld) => {
    const lead = pickFrom(world, `lead ${status}`, leads(world, status));
    return lead === undefined ? undefined : act(String(lead.lead_id), world);
  };

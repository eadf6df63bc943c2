/** People and clients: whoever posts leads, administers, or claims. They call the product's own use cases. */

import type { Person } from '#functions/data/leads/lead';
import type { Caps } from '#functions/data/orders/pace';
import type { Item } from '#functions/data/table/table';
import {
  createCredential,
  deleteCredential,
  savePushText,
  saveSwitches,
  updateCredential,
} from '#functions/domain/administration/settings';
import { createBuyer, deleteBuyer, updateBuyer } from '#functions/domain/buyers/buyers';
import { changeWeights } from '#functions/domain/buyers/weights';
import { decideClaim, fileClaim } from '#functions/domain/claims/claims';
import { reverseDecision } from '#functions/domain/claims/reversal';
import { DomainError } from '#functions/domain/common/errors';
import { resend, resendFailed } from '#functions/domain/deliveries/delivery-log';
import { assignByHand, type DistributionResult } from '#functions/domain/distribution/distribution';
import { takeInMany } from '#functions/domain/distribution/take-in-many';
import { deleteLead, discardLead, editLead } from '#functions/domain/leads/leads';
import {
  deleteBuyerAndLinks,
  regenerateToken,
  renewLink,
  switchOffLink,
} from '#functions/domain/orders/links';
import {
  changeComments,
  changeLimit,
  createOrder,
  deleteOrder,
  restoreLastDeletedOrder,
} from '#functions/domain/orders/orders';
import { changeRenewal, decideReorder, requestReorder } from '#functions/domain/orders/renewal';
import { resendCallback } from '#functions/domain/sources/callback-log';
import { updateSource } from '#functions/domain/sources/sources';
import { RENEWALS } from '#shared/contract/constants';
import { aVisitor } from '#test/factories/links';
import type { Api } from '#test/simulation/api-process';
import type { SimulatedWorld } from '#test/simulation/world';

/** A lead that a client was told of. */
export interface Answered {
  readonly lead: string;
  readonly status: DistributionResult['status'];
}

const FIRST = ['Erika', 'Max', 'Jürgen', 'Zoë'];
const LAST = ['Muster', 'Groß', 'Öztürk', 'Lange'];
const AMOUNTS = [500_000, 1_000_000, 2_500_000, 10_000_000];

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

/** Caps for an order: none where orders have none. */
export function capsIn({ draws, isPaced }: SimulatedWorld): Caps | undefined {
  if (!isPaced) return undefined;
  return {
    daily_cap: draws.pick('daily cap', [null, 1, 2, 3]),
    weekly_cap: draws.pick('weekly cap', [null, 2, 3]),
    ends_on: draws.pick('end date', [null, null, null, '2026-12-31', '2027-01-08']),
  };
}

/** The number of somebody who comes often, under other addresses: claims of duplicates prove themselves. */
const COMES_AGAIN = '+491709999999';

/** Amounts are in cents. */
export function personOf(world: SimulatedWorld, number: number): Person {
  const { draws } = world;
  return {
    anrede: 'Frau',
    vorname: draws.pick('person', FIRST),
    nachname: draws.pick('person', LAST),
    email: `person${number}@example.org`,
    telefon: draws.chance('person', 0.08) ? '12' : `+49170${1_000_000 + number}`,
    anlagebetrag: draws.pick('person', AMOUNTS),
    laufzeit: 24,
  };
}

const SECOND_MS = 1_000;
const MAX_TRIES = 40;

/** Posts a lead with a key of its own until there is an answer. */
export async function postLead(
  world: SimulatedWorld,
  number: number,
  answered: Answered[],
  refused: Set<string>,
): Promise<void> {
  const client = world.process(`client${number}`);
  await client.sleep(world.draws.below('arrival', world.oneBurst ? 200 : 100_000));
  const again = world.draws.chance('again', 0.3) ? { telefon: COMES_AGAIN } : {};
  const person = { ...personOf(world, number), ...again };
  const chosen = world.draws.chance('chosen', 0.15) ? buyerId(world) : undefined;
  for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
    const ended = await world.api.invoke(({ intake }) => intake(`key-${number}`, person, chosen));
    if (ended.end === 'answered' && ended.answer.status !== 'overtaken') {
      answered.push({ lead: ended.answer.lead_id, status: ended.answer.status });
      world.scheduler.note(
        client.name,
        'answered',
        `${ended.answer.status} ${ended.answer.lead_id.slice(-4)}`,
      );
      return;
    }
    if (
      ended.end === 'failed' &&
      ended.error instanceof DomainError &&
      ended.error.code !== 'request_under_way'
    ) {
      world.scheduler.note(client.name, 'refused', ended.error.code);
      if (ended.error.code !== 'lead_removed') refused.add(person.email);
      return;
    }
    await client.sleep(SECOND_MS * (1 + world.draws.below('patience', 30)));
  }
}

const FIRST_OF_MANY = 1_000;
const MIN_MANY = 10;

/** Posts a batch of leads under ids of its own until there is an answer; sometimes twice at once. */
export async function postMany(world: SimulatedWorld, answered: Answered[]): Promise<void> {
  const { draws } = world;
  const client = world.process('many');
  await client.sleep(draws.below('many at', world.oneBurst ? 200 : 60_000));
  const people = Array.from({ length: MIN_MANY + draws.below('many', 4) }, (_, at) => ({
    ...personOf(world, FIRST_OF_MANY + at),
    lead_id: `MANY${String(at).padStart(22, '0')}`,
  }));
  const post = () =>
    world.api.invoke(async (api) => {
      const at = api.runtime.now().toISOString();
      const taken = await takeInMany(
        api,
        people.map((person) => ({
          ...person,
          status: 'received' as const,
          received_at: at,
          distribution_attempt: 1,
          in_flight_since: at,
        })),
      );
      await taken.distribute();
    });
  for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
    const ends = await Promise.all(draws.chance('many twice', 0.3) ? [post(), post()] : [post()]);
    for (const ended of ends) if (ended.end === 'failed') world.unexpected(client.name, ended.error);
    if (ends.some(({ end }) => end === 'answered')) {
      for (const { lead_id } of people) answered.push({ lead: lead_id, status: 'overtaken' });
      return;
    }
    await client.sleep(SECOND_MS * (1 + draws.below('patience', 30)));
  }
}

/** @param who the admin */
type Deed = (api: Api, who: string) => Promise<unknown>;

const MAX_ACTION_AFTER_MS = 140_000;
/** Items whose next write somebody may wait for, to do something just then. */
const KINDS = ['ORDERS', 'ORDERS', 'LEAD', 'CLAIM', 'POOL', 'BUYERS', 'INTAKE'];

interface Action {
  readonly name: string;
  /** How much more often than another one. */
  readonly weight: number;
  /** @returns what is done, or undefined where there is nothing to do it to */
  readonly choose: (world: SimulatedWorld) => Deed | undefined;
}

const orders = (world: SimulatedWorld): Item[] =>
  Array.from({ length: 16 }, (_, shard) => world.table.partition(`ORDERS#${shard}`))
    .flat()
    .filter(({ sk }) => !String(sk).includes('#'));
const buyers = (world: SimulatedWorld) =>
  world.table.partition('BUYERS').filter(({ deleted_at }) => deleted_at === null);
const leads = (world: SimulatedWorld, status: string) =>
  [...world.table.items()].filter((item) => item.sk === 'LEAD' && item.status === status);
const claims = (world: SimulatedWorld) =>
  [...world.table.items()].filter((item) => item.sk === 'CLAIM' && item.claim_status === 'pending');

const credentials = (world: SimulatedWorld) =>
  world.table.partition('PUSHOVER').filter(({ sk }) => String(sk).startsWith('CREDENTIAL#'));

function pickFrom(world: SimulatedWorld, name: string, list: readonly Item[]): Item | undefined {
  return world.isFocused || list.length === 0 ? list[0] : world.draws.pick(name, list);
}
function buyerId(world: SimulatedWorld): string | undefined {
  const buyer = pickFrom(world, 'buyer', buyers(world));
  return buyer && String(buyer.buyer_id);
}
/** The order of the buyer that is open, or was last. */
function orderOf(world: SimulatedWorld, id: string): unknown {
  return world.table.partition('POOL').find(({ buyer_id }) => buyer_id === id)?.order_id;
}
const ofBuyer = (act: (id: string, world: SimulatedWorld) => Deed) => (world: SimulatedWorld) => {
  const id = buyerId(world);
  return id === undefined ? undefined : act(id, world);
};
const ofLead =
  (status: string, act: (id: string, world: SimulatedWorld) => Deed | undefined) =>
  (world: SimulatedWorld) => {
    const lead = pickFrom(world, `lead ${status}`, leads(world, status));
    return lead === undefined ? undefined : act(String(lead.lead_id), world);
  };
const NAMES = ['north', 'south', 'east', 'west', 'new'];

/** Every changing call of the contract but those about logins and e-mail templates, which distribute nothing. */
export const ACTIONS: readonly Action[] = [
  {
    name: 'create buyer',
    weight: 1,
    choose: ({ draws }) => {
      const request = {
        buyer_id: draws.pick('name', NAMES),
        buyer_email: 'new@example.org',
        probability: draws.pick('weight', [0, 10, 30, 100]),
        use_sellanylead_api: true,
      };
      const all = draws.chance('all', 0.5);
      return (api, who) => createBuyer(api, who, { ...request, ...(all && { confirm_exclusive: true }) });
    },
  },
  {
    name: 'weigh buyer',
    weight: 3,
    choose: ofBuyer((id, { draws }) => {
      const probability = draws.pick('weight', [0, 10, 30, 50, 70, 100]);
      const confirm_exclusive = draws.chance('all', 0.5);
      return (api, who) => updateBuyer(api, who, id, { probability, confirm_exclusive });
    }),
  },
  {
    name: 'weigh several buyers',
    weight: 2,
    choose: (world) => {
      const changes = buyers(world).map(({ buyer_id }) => ({
        buyerId: String(buyer_id),
        weight: world.draws.pick('weight', [0, 10_00, 30_00, 50_00]),
        seen: undefined,
      }));
      const all = world.draws.chance('all', 0.5);
      return changes.length === 0 ? undefined : (api, who) => changeWeights(api, who, changes, all);
    },
  },
  {
    name: 'change minimum',
    weight: 2,
    choose: ofBuyer((id, { draws }) => {
      const min_investment = draws.pick('minimum', [null, 10_000, 50_000]);
      return (api, who) => updateBuyer(api, who, id, { min_investment });
    }),
  },
  {
    name: 'pause or resume buyer',
    weight: 3,
    choose: ofBuyer((id, { draws }) => {
      const active = draws.chance('active', 0.6);
      return (api, who) => updateBuyer(api, who, id, { active });
    }),
  },
  {
    name: 'review buyer',
    weight: 1,
    choose: ofBuyer((id, { draws }) => {
      const manual_review = draws.chance('review', 0.5);
      return (api, who) => updateBuyer(api, who, id, { manual_review });
    }),
  },
  {
    name: 'rename buyer',
    weight: 1,
    choose: ofBuyer((id, { draws }) => {
      const new_buyer_id = draws.pick('name', NAMES);
      return (api, who) => updateBuyer(api, who, id, { new_buyer_id });
    }),
  },
  { name: 'delete buyer', weight: 1, choose: ofBuyer((id) => (api, who) => deleteBuyer(api, who, id)) },
  { name: 'renew link', weight: 2, choose: ofBuyer((id) => (api, who) => regenerateToken(api, who, id)) },
  {
    name: 'renew any link',
    weight: 1,
    choose: (world) => {
      const order = pickFrom(world, 'order', orders(world));
      return order && ((api, who) => renewLink(api, who, Number(order.order_id)));
    },
  },
  {
    name: 'switch off a link',
    weight: 1,
    choose: (world) => {
      const order = pickFrom(world, 'order', orders(world));
      return order && ((api, who) => switchOffLink(api, who, Number(order.order_id)));
    },
  },
  {
    name: 'delete buyer and links',
    weight: 1,
    choose: ofBuyer((id) => (api, who) => deleteBuyerAndLinks(api, who, id)),
  },
  {
    name: 'create order',
    weight: 4,
    choose: ofBuyer((id, world) => {
      const { draws } = world;
      const [leadLimit, balance] = [1 + draws.below('limit', 3), draws.below('balance', 2)];
      const caps = capsIn(world);
      const renewal = draws.pick('renewal', RENEWALS);
      return (api, who) => createOrder(api, who, { buyerId: id, leadLimit, balance, caps, renewal });
    }),
  },
  {
    name: 'change renewal',
    weight: 3,
    choose: (world) => {
      const order = pickFrom(world, 'order', orders(world));
      const renewal = world.draws.pick('renewal', RENEWALS);
      return order && ((api, who) => changeRenewal(api, who, Number(order.order_id), renewal));
    },
  },
  {
    name: 'ask for the next order',
    weight: 6,
    choose: (world) => {
      const { draws } = world;
      const asking = orders(world).filter(({ renewal }) => renewal === 'ask');
      const order = pickFrom(world, 'order', asking);
      const limit = 1 + draws.below('limit', 3);
      const isConfirmed = draws.chance('confirm', 0.6);
      return (
        order &&
        (async (api, who) => {
          const asked = await requestReorder(api, aVisitor(), String(order.token), limit, async () => []);
          if (isConfirmed) await decideReorder(api, who, asked.order_id, 'confirmed');
        })
      );
    },
  },
  {
    name: 'decide about the next order',
    weight: 4,
    choose: (world) => {
      const order = pickFrom(
        world,
        'order',
        orders(world).filter(({ reorder, renewed_as }) => reorder !== undefined && renewed_as === undefined),
      );
      const state = world.draws.chance('confirm', 0.8) ? 'confirmed' : 'declined';
      return order && ((api, who) => decideReorder(api, who, Number(order.order_id), state));
    },
  },
  {
    name: 'change limit',
    weight: 5,
    choose: ofBuyer((id, world) => {
      const { draws } = world;
      const order = orders(world).find(({ order_id }) => order_id === orderOf(world, id));
      // Just what was received, or one more, is what a lead that comes at the same moment breaks.
      const near = order !== undefined && draws.chance('near', 0.5);
      const limit = near
        ? Math.max(1, Number(order.leads_received) + draws.below('limit', 2))
        : 1 + draws.below('limit', 5);
      return (api, who) => changeLimit(api, who, id, limit);
    }),
  },
  {
    name: 'delete order',
    weight: 2,
    choose: (world) => {
      const order = pickFrom(world, 'order', orders(world));
      const owner = world.table.partition('BUYERS').find(({ buyer }) => buyer === order?.buyer);
      return (
        order &&
        owner &&
        ((api, who) => deleteOrder(api, who, String(owner.buyer_id), Number(order.order_id)))
      );
    },
  },
  {
    name: 'restore order',
    weight: 2,
    choose: ofBuyer((id) => (api, who) => restoreLastDeletedOrder(api, who, id)),
  },
  {
    name: 'comment',
    weight: 1,
    choose: (world) => {
      const order = pickFrom(world, 'order', orders(world));
      return order && ((api, who) => changeComments(api, who, Number(order.order_id), 'Noted'));
    },
  },
  {
    name: 'assign by hand',
    weight: 4,
    choose: ofLead('pending', (lead, world) => {
      const id = buyerId(world);
      return id === undefined
        ? undefined
        : (api, who) => assignByHand(api, who, lead, { person: {}, buyerId: id });
    }),
  },
  {
    name: 'discard lead',
    weight: 2,
    choose: ofLead('pending', (lead) => (api, who) => discardLead(api, who, lead)),
  },
  {
    name: 'delete lead',
    weight: 3,
    choose: ofLead('assigned', (lead) => (api, who) => deleteLead(api, who, lead)),
  },
  {
    name: 'edit lead',
    weight: 2,
    choose: (world) => {
      const status = world.draws.pick('status', ['assigned', 'pending']);
      return ofLead(status, (lead, { draws }) => {
        const nachname = draws.pick('person', LAST);
        return (api, who) => editLead(api, who, lead, { nachname });
      })(world);
    },
  },
  {
    name: 'file claim',
    weight: 5,
    choose: (world) => {
      const again = world.draws.chance('duplicate', 0.5);
      const lead = pickFrom(
        world,
        'claimed',
        leads(world, 'assigned').filter(
          ({ lead_type, telefon }) => lead_type === 'original' && (!again || telefon === COMES_AGAIN),
        ),
      );
      const order = orders(world).find(({ order_id }) => order_id === lead?.order_id);
      const owner = world.table.partition('BUYERS').find(({ buyer }) => buyer === order?.buyer);
      if (lead === undefined || order === undefined || owner === undefined) return undefined;
      const byLink = world.draws.chance('link', 0.8);
      const reason = again ? 'doppelt' : 'wrong_number';
      return (api, who) =>
        fileClaim(api, byLink ? { token: String(order.token), visitor: aVisitor() } : { admin: who }, {
          leadId: String(lead.lead_id),
          orderId: Number(order.order_id),
          buyerId: String(owner.buyer_id),
          reason,
        });
    },
  },
  {
    name: 'decide claim',
    weight: 6,
    choose: (world) => {
      const claim = pickFrom(world, 'claim', claims(world));
      const status = world.draws.chance('approve', 0.75) ? 'approved' : 'rejected';
      return (
        claim &&
        ((api, who) => decideClaim(api, { who: who, claimId: Number(claim.claim_id), status, notes: '' }))
      );
    },
  },
  {
    name: 'reverse decision',
    weight: 3,
    choose: (world) => {
      const decided = [...world.table.items()].filter(
        ({ sk, rule, reversed_at }) => sk === 'CLAIM' && rule !== undefined && reversed_at === undefined,
      );
      const claim = pickFrom(world, 'reversed', decided);
      return (
        claim && ((api, who) => reverseDecision(api, { who, claimId: Number(claim.claim_id), notes: '' }))
      );
    },
  },
  {
    name: 'send again',
    weight: 2,
    choose: (world) => {
      const delivery = pickFrom(
        world,
        'delivery',
        [...world.table.items()].filter(({ sk }) => String(sk).startsWith('DELIVERY#')),
      );
      return (
        delivery &&
        ((api, who) => resend(api, who, String(delivery.lead_id), String(delivery.channel) as 'heroleads'))
      );
    },
  },
  { name: 'send failed again', weight: 1, choose: ofBuyer((id) => (api, who) => resendFailed(api, who, id)) },
  {
    name: 'switch checks',
    weight: 1,
    choose: ({ draws }) => {
      const phone_verification = draws.chance('phone', 0.5);
      return (api, who) => saveSwitches(api, who, { phone_verification });
    },
  },
  {
    name: 'add push credential',
    weight: 1,
    choose: () => (api, who) =>
      createCredential(api, who, {
        user_key: 'u',
        app_key: 'a',
        notify_lead_assignment: true,
        notify_lead_claims: true,
      }),
  },
  {
    name: 'change push credential',
    weight: 1,
    choose: (world) => {
      const credential = pickFrom(world, 'credential', credentials(world));
      return (
        credential &&
        ((api, who) => updateCredential(api, who, String(credential.id), { notify_lead_claims: false }))
      );
    },
  },
  {
    name: 'delete push credential',
    weight: 1,
    choose: (world) => {
      const credential = pickFrom(world, 'credential', credentials(world));
      return credential && ((api, who) => deleteCredential(api, who, String(credential.id)));
    },
  },
  {
    name: 'save push text',
    weight: 1,
    choose: () => (api, who) => savePushText(api, who, 'Lead $$nachname$$'),
  },
];

/** What admins do besides where orders have caps and buyers hours. */
const PACE_ACTIONS: readonly Action[] = [
  {
    name: 'change hours',
    weight: 3,
    choose: ofBuyer((id, world) => {
      const schedule = scheduleIn(world);
      return (api, who) => updateBuyer(api, who, id, { schedule });
    }),
  },
  {
    name: 'change caps',
    weight: 5,
    choose: ofBuyer((id, world) => {
      const order = orders(world).find(({ order_id }) => order_id === orderOf(world, id));
      const [limit, caps] = [Number(order?.lead_limit ?? 5), capsIn(world)];
      return (api, who) => changeLimit(api, who, id, limit, undefined, caps);
    }),
  },
];

/** What admins do besides where partners refuse leads. */
const REFUSAL_ACTIONS: readonly Action[] = [
  {
    name: 'change what becomes of refused leads',
    weight: 2,
    choose: ofBuyer((id, { draws }) => {
      const on_refusal = draws.chance('gives on', 0.6) ? 'give_on' : 'keep';
      return (api, who) => updateBuyer(api, who, id, { on_refusal });
    }),
  },
];

/** What admins do besides where there are sources. */
const SOURCE_ACTIONS: readonly Action[] = [
  {
    name: 'call back again',
    weight: 1,
    choose: (world) => {
      const callback = pickFrom(
        world,
        'callback',
        [...world.table.items()].filter(({ sk }) => String(sk).startsWith('CALLBACK#')),
      );
      return (
        callback &&
        ((api, who) => resendCallback(api, who, String(callback.lead_id), String(callback.callback_id)))
      );
    },
  },
  {
    name: 'pause or resume source',
    weight: 1,
    choose: (world) => {
      const source = pickFrom(world, 'source', world.table.partition('SOURCES'));
      const state = world.draws.chance('source', 0.6) ? 'live' : 'paused';
      return source && ((api, who) => updateSource(api, who, Number(source.source), { state }));
    },
  },
];

const lottery = (actions: readonly Action[]) =>
  actions.flatMap((action) => Array.from({ length: action.weight }, () => action));

/** What the people of a world do: anything, or only a few things, which then meet more often. */
export function lotteryOf(world: SimulatedWorld): readonly Action[] {
  const { draws, hasSources, isPaced, isRefusing } = world;
  const all = lottery([
    ...ACTIONS,
    ...(hasSources ? SOURCE_ACTIONS : []),
    ...(isPaced ? PACE_ACTIONS : []),
    ...(isRefusing ? REFUSAL_ACTIONS : []),
  ]);
  if (draws.chance('few actions', 0.4)) return all;
  return Array.from({ length: 1 + draws.below('few actions', 3) }, () => draws.pick('few actions', all));
}

/**
 * One action of an admin or a buyer. People do not repeat what had no answer, but may do the same at once: a second click, or
 * two admins with the same list before them.
 */
export async function act(world: SimulatedWorld, number: number, lottery: readonly Action[]): Promise<void> {
  const person = world.process(`person${number}`);
  const { draws } = world;
  if (draws.chance('in between', 0.4))
    await world.nextWrite(
      person,
      draws.pick('in between', KINDS),
      draws.below('action at', MAX_ACTION_AFTER_MS),
    );
  else await person.sleep(draws.below('action at', world.oneBurst ? 400 : MAX_ACTION_AFTER_MS));
  const action = world.draws.pick('action', lottery);
  const run = action.choose(world);
  if (run === undefined) return;
  const twice = world.draws.chance('twice', 0.3) ? [ask(world, `${person.name}b`, action, run)] : [];
  await Promise.all([ask(world, person.name, action, run), ...twice]);
}

async function ask(world: SimulatedWorld, person: string, action: Action, run: Deed): Promise<void> {
  world.scheduler.note(person, action.name);
  const ended = await world.api.invoke((api) => run(api, person));
  const told =
    ended.end === 'failed'
      ? ended.error instanceof DomainError
        ? ended.error.code
        : String(ended.error)
      : ended.end;
  world.scheduler.note(person, `${action.name}:`, told);
  world.asked.push({
    who: person,
    name: action.name,
    outcome:
      ended.end === 'answered'
        ? 'done'
        : ended.end === 'failed' && ended.error instanceof DomainError
          ? 'refused'
          : 'unknown',
  });
  if (ended.end === 'failed' && !(ended.error instanceof DomainError)) world.unexpected(person, ended.error);
}

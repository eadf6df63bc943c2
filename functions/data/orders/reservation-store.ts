/**
 * Reservations: capacity of an order taken by a distribution attempt before its lead is assigned. The same conditional
 * write raises the counter and records the reservation, so a repeated write is recognised. The reservation is confirmed
 * when the lead is assigned, or released if the attempt fails. With caps, the same write counts the lead for the day and
 * the week. The first write of a new day is refused; a second one starts the day's count.
 */
import type { DataContext } from '#functions/data/context';
import { hasCapacity, type Order, orderSchema, paceAt } from '#functions/data/orders/order';
import { cappedBy, type Pace, paceCapacity } from '#functions/data/orders/pace';
import { keys } from '#functions/data/table/keys';
import type { Table, Update, Written } from '#functions/data/table/table';
import type { CapReason, LeadType } from '#shared/rules/constants';
import type { Schedule } from '#shared/rules/schedule';
import { berlinDay } from '#shared/rules/working-days';

export interface DistributionAttempt {
  readonly lead_id: string;
  readonly distribution_attempt: number;
}

export interface Reservation extends DistributionAttempt {
  readonly order_id: number;
  readonly sequence: number;
  readonly lead_type: LeadType;
}

export interface ReservationTerms {
  /** Decides which day and week the lead counts for. */
  readonly at: Date;
  readonly schedule?: Schedule | undefined;
  readonly paced?: boolean | undefined;
  /** An admin chose the buyer: the lead counts, though a cap is reached. */
  readonly byHand?: boolean;
}

export type Refusal = 'limit_reached' | CapReason;

export type ReserveResult =
  | {
      readonly reserved: true;
      readonly order: Order;
      readonly sequence: number;
      readonly lead_type: LeadType;
    }
  | { readonly reserved: false; readonly order: Order | undefined; readonly refusal: Refusal };

export interface ReservedMany {
  readonly order: Order | undefined;
  readonly refusal: Refusal;
  readonly reserved: readonly ({ readonly sequence: number; readonly lead_type: LeadType } | undefined)[];
}

export interface ReservationStore {
  /** A replacement if the order owes one. Repeated for the same attempt it returns the same reservation. */
  reserve(orderId: number, attempt: DistributionAttempt, terms: ReservationTerms): Promise<ReserveResult>;
  /**
   * At most `MAX_LEADS_PER_WRITE` by one write: the first get the owed replacements, the others the rest of the limit.
   */
  reserveMany(
    orderId: number,
    attempts: readonly DistributionAttempt[],
    terms: Omit<ReservationTerms, 'byHand'>,
  ): Promise<ReservedMany>;
  /** The note on the order is removed by this process's next reservation there, or by `removeConfirmed`. */
  confirm(reservation: Reservation): void;
}

const ATTRIBUTE = {
  original: 'reservations',
  reimbursement: 'replacement_reservations',
} as const satisfies Record<LeadType, string>;

const keyOf = (attempt: DistributionAttempt) => `${attempt.lead_id}.${attempt.distribution_attempt}`;

/** Keeps the expression short; the reconciliation removes the rest. */
const MAX_NOTES_REMOVED = 16;

/** Expressions are limited to 4 KB and 300 operators; a condition on each lead takes four of them. */
const MAX_LEADS_PER_WRITE = 50;
const MAX_WRITES_FOR_MANY = 20;
const MAX_WRITES = 6;

export function createReservationStore(table: Table): ReservationStore {
  /** By order: confirmed, and still noted on it. */
  const confirmed = new Map<number, Reservation[]>();
  const stillNoted = (orderId: number, done: readonly Reservation[]) =>
    void confirmed.set(orderId, [...(confirmed.get(orderId) ?? []), ...done]);
  /** Reservations that the next write removes, except those of the leads that it reserves for. */
  const takeConfirmed = (
    orderId: number,
    most: number,
    own: readonly DistributionAttempt[],
  ): Reservation[] => {
    const names = new Set(own.map(keyOf));
    const [done, others]: [Reservation[], Reservation[]] = [[], []];
    for (const reservation of confirmed.get(orderId) ?? [])
      (done.length < most && !names.has(keyOf(reservation)) ? done : others).push(reservation);
    confirmed.set(orderId, others);
    return done;
  };

  const reserveAs = async (
    orderId: number,
    attempt: DistributionAttempt,
    leadType: LeadType,
    counted: PaceChange,
  ): Promise<Written> => {
    const done = takeConfirmed(orderId, MAX_NOTES_REMOVED, [attempt]);
    const removal = notesRemoved(done);
    const [counters, capacity] =
      leadType === 'original'
        ? [
            'leads_received = leads_received + :one',
            'leads_received < lead_limit AND reimbursement_pending = :zero',
          ]
        : [
            'reimbursement_delivered = reimbursement_delivered + :one, reimbursement_pending = reimbursement_pending - :one',
            'reimbursement_pending > :zero',
          ];
    const written = await table.update({
      key: keys.order(orderId),
      update: `SET ${[counters, 'last_sequence = last_sequence + :one', `${ATTRIBUTE[leadType]}.#key = last_sequence + :one`, ...counted.sets].join(', ')} ${removal.text}`,
      condition: `attribute_exists(pk) AND deleted_at = :null AND ${capacity} AND attribute_not_exists(reservations.#key) AND attribute_not_exists(replacement_reservations.#key) AND ${counted.conditions.join(' AND ')}`,
      names: { '#key': keyOf(attempt), ...removal.names },
      values: { ':one': 1, ':zero': 0, ':null': null, ...counted.values },
    });
    if (!written.ok) stillNoted(orderId, done);
    return written;
  };

  /** As last read by this process. Only used to compute numbers, which the condition verifies. */
  const expected = new Map<number, Order>();
  const read = async (orderId: number): Promise<Order | undefined> => {
    const item = await table.get(keys.order(orderId));
    return item && orderSchema.parse(item);
  };

  return {
    async reserveMany(orderId, attempts, { at, schedule }) {
      const remembered = expected.get(orderId);
      // Its notes may have been removed since.
      let order = remembered && { ...remembered, reservations: {}, replacement_reservations: {} };
      let isCurrent = false;
      const isOpen = (one: Order) => hasCapacity(one) && paceCapacity(paceAt(one, schedule, at)) > 0;
      // The day's allowance depends on the rest, so a day is not begun from an old copy.
      const isEnough = (one: Order) => isOpen(one) && paceAt(one, schedule, at)?.of_day === one.pace?.of_day;
      for (let writes = 0; ; writes += 1) {
        if (order === undefined || (!isCurrent && !isEnough(order))) {
          order = await read(orderId);
          isCurrent = true;
        }
        if (order === undefined)
          return { order, refusal: 'limit_reached', reserved: attempts.map(() => undefined) };
        expected.set(orderId, order);
        const found = order;
        const reserved = attempts.map((attempt) => reservationOf(found, attempt));
        const wanting = attempts.filter((_, index) => reserved[index] === undefined);
        if (wanting.length === 0 || !isOpen(found) || writes === MAX_WRITES_FOR_MANY)
          return { order: found, refusal: refusalOf(found, { at, schedule }), reserved };
        const taking = wanting.slice(0, MAX_LEADS_PER_WRITE);
        // Another run of this process may have assigned one of these leads: without its note it would be counted twice.
        const done = takeConfirmed(orderId, MAX_LEADS_PER_WRITE, attempts);
        const written = await table.update(
          reservationOfMany(found, taking, done, paceAt(found, schedule, at)),
        );
        if (!written.ok) stillNoted(orderId, done);
        order = written.item && orderSchema.parse(written.item);
        isCurrent = true;
        if (order === undefined) expected.delete(orderId);
      }
    },

    async reserve(orderId, attempt, { at, schedule, paced, byHand = false }) {
      let leadType: LeadType = 'original';
      let counted = paced === true ? countedOn(berlinDay(at), byHand) : NOT_COUNTED;
      // Usually one write. If the order owes a replacement, has caps or is in another day, the changed write is
      // repeated.
      for (let round = 0; round < MAX_WRITES; round += 1) {
        const written = await reserveAs(orderId, attempt, leadType, counted);
        if (!written.ok && written.item === undefined) break;
        const order = orderSchema.parse(written.item);
        const own = reservationOf(order, attempt);
        if (own !== undefined) return { reserved: true, order, ...own };
        const pace = paceAt(order, schedule, at);
        if (!hasCapacity(order) || (!byHand && paceCapacity(pace) === 0))
          return { reserved: false, order, refusal: refusalOf(order, { at, schedule }) };
        leadType = order.reimbursement_pending > 0 ? 'reimbursement' : 'original';
        counted = countedAs(order, pace, byHand);
      }
      return { reserved: false, order: undefined, refusal: 'limit_reached' };
    },

    confirm(reservation) {
      const done = confirmed.get(reservation.order_id) ?? [];
      // Two runs of this process over the same batch confirm the same.
      if (!done.some((one) => keyOf(one) === keyOf(reservation)))
        stillNoted(reservation.order_id, [reservation]);
    },
  };
}

/** @returns the order after the write, or undefined if there was no such reservation */
export async function release({ table }: DataContext, reservation: Reservation): Promise<Order | undefined> {
  const attribute = ATTRIBUTE[reservation.lead_type];
  const counters =
    reservation.lead_type === 'original'
      ? 'leads_received = leads_received - :one'
      : 'reimbursement_delivered = reimbursement_delivered - :one, reimbursement_pending = reimbursement_pending + :one';
  let freed = uncounted(undefined, reservation.sequence);
  // A second write if the order has caps, and another one if a day began meanwhile.
  for (let round = 0; round < MAX_WRITES; round += 1) {
    const written = await table.update({
      key: keys.order(reservation.order_id),
      update: `SET ${[counters, ...freed.sets].join(', ')} REMOVE ${attribute}.#key`,
      condition: [`attribute_exists(${attribute}.#key)`, ...freed.conditions].join(' AND '),
      names: { '#key': keyOf(reservation) },
      values: { ':one': 1, ...freed.values },
    });
    if (written.item === undefined) return undefined;
    const order = orderSchema.parse(written.item);
    if (written.ok) return order;
    if (reservationOf(order, reservation) === undefined) return undefined;
    freed = uncounted(order.pace, reservation.sequence);
  }
  throw new Error('The order changed before every write');
}

export async function removeConfirmed(
  { table }: DataContext,
  orderId: number,
  reservations: readonly Reservation[],
): Promise<void> {
  for (let start = 0; start < reservations.length; start += MAX_NOTES_REMOVED) {
    const removal = notesRemoved(reservations.slice(start, start + MAX_NOTES_REMOVED));
    await table.update({
      key: keys.order(orderId),
      update: removal.text,
      condition: 'attribute_exists(pk)',
      names: removal.names,
    });
  }
}

/** Conditions cannot add, so the maximum is computed from the limit seen, on the condition that it still applies. */
function reservationOfMany(
  expected: Order,
  attempts: readonly DistributionAttempt[],
  done: readonly Reservation[],
  pace: Pace | undefined,
): Update {
  const most = Math.min(attempts.length, paceCapacity(pace));
  const replacements = Math.min(most, expected.reimbursement_pending);
  const originals = Math.max(0, Math.min(most - replacements, expected.lead_limit - expected.leads_received));
  const taken = attempts.slice(0, replacements + originals);
  const removal = notesRemoved(done);
  const names: Record<string, string> = {
    '#o': ATTRIBUTE.original,
    '#r': ATTRIBUTE.reimbursement,
    ...removal.names,
  };
  const values: Record<string, unknown> = { ':null': null, ':taken': taken.length };
  const sets = ['last_sequence = last_sequence + :taken'];
  const conditions = ['attribute_exists(pk)', 'deleted_at = :null'];
  for (const [at, attempt] of taken.entries()) {
    names[`#k${at}`] = keyOf(attempt);
    values[`:n${at}`] = at + 1;
    sets.push(`${at < replacements ? '#r' : '#o'}.#k${at} = last_sequence + :n${at}`);
    conditions.push(`attribute_not_exists(#o.#k${at})`, `attribute_not_exists(#r.#k${at})`);
  }
  if (replacements > 0) {
    values[':replaced'] = replacements;
    sets.push(
      'reimbursement_delivered = reimbursement_delivered + :replaced, reimbursement_pending = reimbursement_pending - :replaced',
    );
  }
  if (originals > 0) {
    values[':originals'] = originals;
    sets.push('leads_received = leads_received + :originals');
  }
  const counted = countedMany(expected, pace, taken.length, taken.length < attempts.length);
  sets.push(...counted.sets);
  conditions.push(...counted.conditions);
  Object.assign(values, counted.values);
  if (taken.length < attempts.length) {
    // Capacity may have been released since, so only the current order refuses the rest.
    values[':limit'] = expected.lead_limit;
    values[':received'] = expected.leads_received;
    values[':owed'] = expected.reimbursement_pending;
    conditions.push('reimbursement_pending = :owed', 'lead_limit = :limit', 'leads_received = :received');
  } else if (originals > 0) {
    values[':limit'] = expected.lead_limit;
    values[':most'] = expected.lead_limit - originals;
    values[':owed'] = replacements;
    conditions.push('reimbursement_pending = :owed', 'lead_limit = :limit', 'leads_received <= :most');
  } else conditions.push('reimbursement_pending >= :replaced');
  return {
    key: keys.order(expected.order_id),
    update: `SET ${sets.join(', ')} ${removal.text}`,
    condition: conditions.join(' AND '),
    names,
    values,
  };
}

export interface PaceChange {
  readonly sets: readonly string[];
  readonly conditions: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
}

const NOT_COUNTED: PaceChange = { sets: [], conditions: ['attribute_not_exists(pace)'], values: {} };

const WITHIN_PACE = ['pace.day_received < pace.day_allowance', 'pace.week_received < pace.week_allowance'];

/** Needs `:one`. */
const countedOn = (day: string, byHand: boolean): PaceChange => ({
  sets: ['pace.day_received = pace.day_received + :one', 'pace.week_received = pace.week_received + :one'],
  conditions: ['pace.of_day = :day', ...(byHand ? [] : WITHIN_PACE)],
  values: { ':day': day },
});

function countedAs({ pace: stored }: Order, pace: Pace | undefined, byHand: boolean): PaceChange {
  if (stored === undefined || pace === undefined) return NOT_COUNTED;
  return pace.of_day === stored.of_day
    ? countedOn(pace.of_day, byHand)
    : dayBegun(stored, pace, 1, byHand ? [] : ['pace.week_received < pace.week_allowance']);
}

function dayBegun(stored: Pace, pace: Pace, leads: number, weekConditions: readonly string[]): PaceChange {
  const isSameWeek = pace.of_week === stored.of_week;
  return {
    sets: [
      'pace.of_day = :day',
      'pace.day_from = last_sequence',
      'pace.day_received = :leads',
      'pace.day_allowance = :allowance',
      ...(isSameWeek
        ? ['pace.week_received = pace.week_received + :leads']
        : ['pace.of_week = :week', 'pace.week_from = last_sequence', 'pace.week_received = :leads']),
    ],
    conditions: [
      'pace.of_day = :before',
      'pace.daily_cap = :cap',
      'pace.ends_on = :end',
      ...(isSameWeek ? weekConditions : []),
    ],
    values: {
      ':cap': stored.daily_cap,
      ':end': stored.ends_on,
      ':day': pace.of_day,
      ':leads': leads,
      ':allowance': pace.day_allowance,
      ':before': stored.of_day,
      ...(!isSameWeek && { ':week': pace.of_week }),
    },
  };
}

/** Like for the limit, the maximum is computed from the caps seen. @param isAll the order gives all that it has */
function countedMany(
  { pace: stored }: Order,
  pace: Pace | undefined,
  leads: number,
  isAll: boolean,
): PaceChange {
  if (stored === undefined || pace === undefined) return NOT_COUNTED;
  const isSameDay = pace.of_day === stored.of_day;
  const compared = isAll ? '=' : '<=';
  const change = isSameDay
    ? {
        sets: [
          'pace.day_received = pace.day_received + :leads',
          'pace.week_received = pace.week_received + :leads',
        ],
        conditions: [
          'pace.of_day = :day',
          'pace.day_allowance = :allowance',
          `pace.day_received ${compared} :dayReceived`,
        ],
        values: {
          ':day': pace.of_day,
          ':leads': leads,
          ':allowance': pace.day_allowance,
          ':dayReceived': isAll ? pace.day_received : pace.day_allowance - leads,
        },
      }
    : dayBegun(stored, pace, leads, []);
  if (pace.of_week !== stored.of_week) return change;
  return {
    sets: change.sets,
    conditions: [
      ...change.conditions,
      'pace.week_allowance = :weekAllowance',
      `pace.week_received ${compared} :weekReceived`,
    ],
    values: {
      ...change.values,
      ':weekAllowance': pace.week_allowance,
      ':weekReceived': isAll ? pace.week_received : pace.week_allowance - leads,
    },
  };
}

/** Needs `:one`. @param pace on the condition that its day is unchanged */
export function uncounted(pace: Pace | undefined, sequence: number): PaceChange {
  if (pace === undefined) return NOT_COUNTED;
  const sets = [
    ...(sequence > pace.day_from ? ['pace.day_received = pace.day_received - :one'] : []),
    ...(sequence > pace.week_from ? ['pace.week_received = pace.week_received - :one'] : []),
  ];
  return {
    sets,
    conditions: ['pace.day_from = :dayFrom', 'pace.week_from = :weekFrom'],
    values: { ':dayFrom': pace.day_from, ':weekFrom': pace.week_from },
  };
}

function refusalOf(order: Order, { at, schedule }: Pick<ReservationTerms, 'at' | 'schedule'>): Refusal {
  const capped = hasCapacity(order) ? cappedBy(paceAt(order, schedule, at), schedule) : undefined;
  return capped?.by ?? 'limit_reached';
}

function notesRemoved(reservations: readonly Reservation[]) {
  const names: Record<string, string> = {};
  const paths = reservations.map((reservation, at) => {
    names[`#done${at}`] = keyOf(reservation);
    return `${ATTRIBUTE[reservation.lead_type]}.#done${at}`;
  });
  return { text: paths.length === 0 ? '' : `REMOVE ${paths.join(', ')}`, names };
}

export function noteRemoved(reservation: Reservation) {
  return notesRemoved([reservation]);
}

export function reservationOf(
  order: Order,
  attempt: DistributionAttempt,
): { sequence: number; lead_type: LeadType } | undefined {
  const original = order.reservations[keyOf(attempt)];
  if (original !== undefined) return { sequence: original, lead_type: 'original' };
  const replacement = order.replacement_reservations[keyOf(attempt)];
  return replacement === undefined ? undefined : { sequence: replacement, lead_type: 'reimbursement' };
}

export function reservationsOf(order: Order): Reservation[] {
  const from = (noted: Readonly<Record<string, number>>, leadType: LeadType): Reservation[] =>
    Object.entries(noted).map(([key, sequence]) => {
      const dot = key.lastIndexOf('.');
      return {
        order_id: order.order_id,
        lead_id: key.slice(0, dot),
        distribution_attempt: Number(key.slice(dot + 1)),
        sequence,
        lead_type: leadType,
      };
    });
  return [...from(order.reservations, 'original'), ...from(order.replacement_reservations, 'reimbursement')];
}

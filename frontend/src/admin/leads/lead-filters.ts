/** The filters of the lead list's address as the server takes them. */
import {
  CLAIM_STATUSES,
  DELIVERY_STATUSES,
  LEAD_EVENTS,
  LEAD_ROW_STATUSES,
  LEAD_TYPES,
} from '#shared/rules/constants';
import { addDays, isDay } from '#shared/rules/working-days';
import { isName, type LeadFilter, NO_FILTER } from './leads-path';

export const PERIODS = ['today', 'yesterday', '7', '30', '90', '365', 'month', 'last-month'] as const;
export const LEAD_SORTS = ['time', 'amount'] as const;

type Read<Value extends string = string> = (value: string) => Value | undefined;
const among =
  <const Value extends string>(allowed: readonly Value[]): Read<Value> =>
  (value) =>
    allowed.find((one) => one === value);
const matching =
  (pattern: RegExp): Read =>
  (value) =>
    pattern.test(value) ? value : undefined;
const day: Read = (value) => (isDay(value) ? value : undefined);

/** What the server accepts; addresses can be typed by hand. */
const READ = {
  period: among(PERIODS),
  from: day,
  to: day,
  by: among(LEAD_EVENTS),
  source: matching(/^\d{1,9}$/),
  buyer_id: matching(/^.{1,100}$/u),
  order_id: matching(/^[1-9]\d{0,9}$/),
  status: among([...LEAD_ROW_STATUSES, 'accepted']),
  amount_from: matching(/^\d{1,8}$/),
  amount_to: matching(/^\d{1,8}$/),
  claim: among(['any', 'none', ...CLAIM_STATUSES]),
  consent: among(['yes', 'no']),
  delivery: among(DELIVERY_STATUSES),
  lead_type: among(LEAD_TYPES),
} satisfies Readonly<Record<keyof LeadFilter, Read>>;

/** Without what the server would refuse. */
export function accepted(filter: LeadFilter): LeadFilter {
  const kept = { ...NO_FILTER };
  for (const [name, value] of Object.entries(filter))
    if (isName(name)) kept[name] = READ[name](value) ?? NO_FILTER[name];
  return kept;
}

/** The first and last day of the period; undefined where it is open. */
export function daysOf({ period, from, to }: LeadFilter, today: string): { from?: string; to?: string } {
  if (from !== '' || to !== '') return { ...(from && { from }), ...(to && { to }) };
  const month = `${today.slice(0, 7)}-01`;
  const lastOfMonthBefore = addDays(month, -1);
  switch (period) {
    case '':
      return {};
    case 'today':
      return { from: today, to: today };
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) };
    case 'month':
      return { from: month, to: today };
    case 'last-month':
      return { from: `${lastOfMonthBefore.slice(0, 7)}-01`, to: lastOfMonthBefore };
    default:
      return { from: addDays(today, 1 - Number(period)), to: today };
  }
}

/** The filter as the server takes it. */
export function listQuery(filter: LeadFilter, today: string) {
  const { period: _, ...others } = filter;
  return {
    ...others,
    ...daysOf(filter, today),
    by: READ.by(filter.by),
    status: READ.status(filter.status),
    claim: READ.claim(filter.claim),
    consent: READ.consent(filter.consent),
    delivery: READ.delivery(filter.delivery),
    lead_type: READ.lead_type(filter.lead_type),
  };
}

/**
 * What is known of an e-mail address from mails that did not reach it. The state follows from the set of events alone, so it does
 * not matter in which order they come, or how often.
 */
import * as z from 'zod/mini';
import { personal } from '#functions/data/personal';
import { ADDRESS_STATES, type AddressStateName, BOUNCE_REPORTERS } from '#shared/rules/constants';

/** A mail that did not reach its address, or that its receiver called spam. */
export const addressEventSchema = z.object({
  /** Of whoever reports it: the same event has the same one. */
  id: z.string(),
  state: z.enum(ADDRESS_STATES),
  /** When it happened (UTC). */
  at: z.string(),
  by: z.enum(BOUNCE_REPORTERS),
  /** The status, such as `5.1.1` (RFC 3463) or `550`; null where none was given. */
  code: z.nullable(z.string()),
  /** What the mail server said, without addresses. */
  diagnostic: personal(z.nullable(z.string())),
});
export type AddressEvent = z.output<typeof addressEventSchema>;

export const addressSchema = z.object({
  events: z.array(addressEventSchema),
  /** Since when (UTC) it is known to work: a mail arrived, or an admin said so. Earlier events do not count. */
  works_since: z.optional(z.string()),
  /** The same of events that an SMTP server reported: it has taken a mail for the address since. */
  taken_since: z.optional(z.string()),
});
export type Address = z.output<typeof addressSchema>;

/** The state of an address to which mails do not come through. */
export interface AddressState {
  readonly state: AddressStateName;
  /** Of events of this kind, at most `MAX_EVENTS`. */
  readonly count: number;
  readonly first_at: string;
  readonly last_at: string;
  /** Of the last one. */
  readonly by: AddressEvent['by'];
  readonly code: string | null;
  readonly diagnostic: string | null;
}

/** Of each kind the first one and the newest are kept. */
export const MAX_EVENTS = 10;

const NOTHING: Address = { events: [] };
const inTime = (one: AddressEvent, other: AddressEvent) =>
  one.at.localeCompare(other.at) || one.id.localeCompare(other.id);

function kept(address: Address): Address {
  const { works_since = '', taken_since = '' } = address;
  const counts = ({ at, by }: AddressEvent) => at > works_since && (by !== 'smtp' || at > taken_since);
  const events = ADDRESS_STATES.flatMap((state) => {
    const [first, ...rest] = address.events
      .filter((event) => event.state === state && counts(event))
      .toSorted(inTime);
    return first === undefined ? [] : [first, ...rest.slice(1 - MAX_EVENTS)];
  });
  return { ...address, events };
}

export function withEvent(address: Address = NOTHING, event: AddressEvent): Address {
  return kept({ ...address, events: [...address.events.filter(({ id }) => id !== event.id), event] });
}

/** @param how whether it was seen to work, or an SMTP server has taken a mail for it, which another may still send back */
export function withoutEvents(
  address: Address = NOTHING,
  how: 'works_since' | 'taken_since',
  at: string,
): Address {
  const since = address[how];
  return kept({ ...address, [how]: since === undefined || since < at ? at : since });
}

/** Undefined while nothing is known against the address. The worst counts. */
export function stateOf({ events }: Address): AddressState | undefined {
  const state = ADDRESS_STATES.findLast((one) => events.some((event) => event.state === one));
  const ofState = events.filter((event) => event.state === state).toSorted(inTime);
  const [first, last] = [ofState[0], ofState.at(-1)];
  if (state === undefined || first === undefined || last === undefined) return undefined;
  const { by, code, diagnostic, at } = last;
  return { state, count: ofState.length, first_at: first.at, last_at: at, by, code, diagnostic };
}

/** Whether news are not sent to it any more: it does not exist, or its owner does not want them. */
export const isClosed = (state: Pick<AddressState, 'state'> | undefined): boolean =>
  state !== undefined && state.state !== 'bounced_soft';

/** The state of an address follows from a set of events, so their order and repetition do not matter. */
import * as z from 'zod/mini';
import { personal } from '#functions/data/personal';
import { ADDRESS_STATES, type AddressStateName, BOUNCE_REPORTERS } from '#shared/rules/constants';

export const addressEventSchema = z.object({
  /** Given by the reporter; a repeated event has the same one. */
  id: z.string(),
  state: z.enum(ADDRESS_STATES),
  at: z.string(),
  by: z.enum(BOUNCE_REPORTERS),
  /** Such as `5.1.1` (RFC 3463) or `550`; null if none was given. */
  code: z.nullable(z.string()),
  /** The mail server's answer, without addresses. */
  diagnostic: personal(z.nullable(z.string())),
});
export type AddressEvent = z.output<typeof addressEventSchema>;

export const addressSchema = z.object({
  events: z.array(addressEventSchema),
  /** When (UTC) a mail arrived or an admin confirmed the address. Earlier events do not count. */
  works_since: z.optional(z.string()),
  /** When an SMTP server accepted a mail. Earlier events reported by SMTP do not count. */
  taken_since: z.optional(z.string()),
});
export type Address = z.output<typeof addressSchema>;

export interface AddressState {
  readonly state: AddressStateName;
  /** At most `MAX_EVENTS`. */
  readonly count: number;
  readonly first_at: string;
  readonly last_at: string;
  readonly by: AddressEvent['by'];
  readonly code: string | null;
  readonly diagnostic: string | null;
}

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

export function withoutEvents(
  address: Address = NOTHING,
  how: 'works_since' | 'taken_since',
  at: string,
): Address {
  const since = address[how];
  return kept({ ...address, [how]: since === undefined || since < at ? at : since });
}

/** The worst state counts. */
export function stateOf({ events }: Address): AddressState | undefined {
  const worst = ADDRESS_STATES.findLast((one) => events.some((event) => event.state === one));
  const ofState = events.filter((event) => event.state === worst).toSorted(inTime);
  const [first, last] = [ofState[0], ofState.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const { state, by, code, diagnostic, at } = last;
  return { state, count: ofState.length, first_at: first.at, last_at: at, by, code, diagnostic };
}

export const isClosed = (state: Pick<AddressState, 'state'> | undefined): boolean =>
  state !== undefined && state.state !== 'bounced_soft';

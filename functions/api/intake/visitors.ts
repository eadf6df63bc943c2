/** Leads from the browsers of visitors, for whom the key of the source is no secret: everybody can read it in the page. */
import * as sessionStore from '#functions/data/administration/session-store';
import type { Context } from '#functions/data/context';
import { type Caller, refusal } from '#functions/domain/sources/source-access';
import { MIN_SHOWN_MS, SHOWN_FIELD, TRAP_FIELD } from '#shared/rules/ready-form';

/** Of one address, which the visitors of a mobile network or an office share. */
const LIMIT = { leads: 30, seconds: 600 };

/** Undefined for a server: only browsers name an origin, and a foreign one is refused. */
export const visitorOf = ({ origin, address }: Caller): string | undefined =>
  origin === undefined ? undefined : address;

/** Counts before the source's own limits, so that one visitor cannot use them up. @throws DomainError 429 */
export async function limitVisitor(context: Context, visitor: string, leads: number): Promise<void> {
  const now = context.runtime.now();
  const of = `intake-address:${visitor}`;
  const { count, until } = await sessionStore.countAttempt(context, of, now, LIMIT.seconds, leads);
  if (count <= LIMIT.leads) return;
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  throw refusal('too_many', 'too_many_leads', 'Too many leads from this address', seconds);
}

/** The fields of the form itself are no part of the lead: a repeated lead has other ones. */
export function formFieldsOf(row: object) {
  const { [TRAP_FIELD]: trap, [SHOWN_FIELD]: shown, ...lead } = Object.fromEntries(Object.entries(row));
  return {
    lead,
    isTrapped: typeof trap === 'string' && trap !== '',
    isTooFast: typeof shown === 'number' && shown < MIN_SHOWN_MS,
  };
}

/** Leads from the browsers of visitors, for whom the key of the source is no secret: everybody can read it in the page. */
import type { Context } from '#functions/data/context';
import { limitAttempts } from '#functions/domain/common/attempts';
import type { Caller } from '#functions/domain/sources/source-access';
import { MIN_SHOWN_MS, SHOWN_FIELD, TRAP_FIELD } from '#shared/rules/ready-form';

/** Of one address, which the visitors of a mobile network or an office share. */
const LIMIT = {
  most: 30,
  seconds: 600,
  message: 'Too many leads from this address',
  code: 'too_many_leads',
} as const;

/** Undefined for a server: only browsers name an origin, and a foreign one is refused. */
export const visitorOf = ({ origin, address }: Caller): string | undefined =>
  origin === undefined ? undefined : address;

/** Counts before the source's own limits, so that one visitor cannot use them up. @throws DomainError 429 */
export async function limitVisitor(context: Context, visitor: string, leads: number): Promise<void> {
  await limitAttempts(context, `intake-address:${visitor}`, LIMIT, leads);
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

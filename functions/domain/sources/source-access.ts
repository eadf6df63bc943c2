import type { Context, DataContext } from '#functions/data/context';
import type { Source } from '#functions/data/sources/source';
import * as sourceCounts from '#functions/data/sources/source-counts';
import * as sourceStore from '#functions/data/sources/source-store';
import { DomainError, type ErrorKind } from '#functions/domain/common/errors';
import { isWithin } from '#functions/domain/sources/addresses';
import { readSourceKey } from '#functions/domain/sources/source-key';
import type { IntakeErrorCode } from '#shared/contract/intake-errors';
import { berlinDay } from '#shared/rules/working-days';

export interface Caller {
  readonly authorization: string | undefined;
  readonly origin: string | undefined;
  readonly address: string;
}

export const refusal = (kind: ErrorKind, code: IntakeErrorCode, text: string, retryAfter?: number) =>
  new DomainError(kind, code, text, retryAfter === undefined ? {} : { retryAfter });

const MINUTE_SECONDS = 60;
const LONGEST_DAY_MINUTES = 25 * 60;

export interface Recognised {
  readonly source: Source;
  /** Why the source may not send new leads now. These leads are not counted. Repeated ones still get their answer. */
  readonly refused?: DomainError | undefined;
}

/** @throws DomainError 401 for an unknown key, 403 for a foreign address or page, 429 for more leads in a minute than agreed */
export async function useSource(context: Context, caller: Caller, leads: number): Promise<Recognised> {
  const key = keyOf(caller);
  const at = context.runtime.now();
  const used = await sourceCounts.use(context, { ...key, leads, at, day: berlinDay(at) });
  if (!used.allowed && used.why === 'key') throw unknownKey();
  const { source } = used;
  const foreign = refusalOf(source, caller);
  if (foreign !== undefined) {
    if (used.allowed) await returnUse(context, source, leads);
    throw foreign;
  }
  if (used.allowed) return { source };
  switch (used.why) {
    case 'paused':
      return { source, refused: refusal('forbidden', 'source_paused', 'This source is paused') };
    case 'per_minute': {
      const text = `At most ${source.per_minute} leads per minute`;
      // The limit exists to save lookups, so earlier leads are not looked up. The source can repeat the call.
      if (leads <= source.per_minute) throw tooMany(text, secondsToNextMinute(at));
      return { source, refused: refusal('invalid', 'too_many_leads', text) };
    }
    case 'per_day':
      return { source, refused: tooMany(`At most ${source.per_day} leads per day`, secondsToNextDay(at)) };
    case 'in_total': {
      const { in_total } = source;
      const refused = refusal('forbidden', 'source_full', `The total limit of ${in_total} leads is reached`);
      return { source, refused };
    }
  }
}

export async function readSource(context: DataContext, caller: Caller): Promise<Source> {
  const key = keyOf(caller);
  const source = await sourceStore.get(context, key.source);
  if (source === undefined || source.keys[key.slot]?.hash !== key.hash) throw unknownKey();
  const refused = refusalOf(source, caller);
  if (refused !== undefined) throw refused;
  return source;
}

export async function countImported(context: Context, { source }: Source, leads: number): Promise<Source> {
  return sourceCounts.count(context, source, leads, berlinDay(context.runtime.now()));
}

function keyOf({ authorization = '' }: Caller) {
  const [, text = ''] = /^Bearer +(\S+) *$/i.exec(authorization) ?? [];
  const key = readSourceKey(text);
  if (key === undefined) throw unknownKey();
  return key;
}

const unknownKey = () =>
  refusal('unauthenticated', 'invalid_key', 'Authorization: Bearer with a valid key is required');

function refusalOf(source: Source, { address, origin }: Caller): DomainError | undefined {
  if (source.addresses.length > 0 && !isWithin(source.addresses, address))
    return refusal('forbidden', 'address_refused', 'This source may not post from this address');
  // Only browsers send it; other clients with a key can send anything.
  if (origin !== undefined && !source.origins.includes(origin))
    return refusal('forbidden', 'foreign_origin', 'This source may not post from pages of this site');
  return undefined;
}

const tooMany = (text: string, retryAfter: number) => refusal('too_many', 'too_many_leads', text, retryAfter);

const secondsToNextMinute = (at: Date) => MINUTE_SECONDS - at.getUTCSeconds();

/** Until midnight in Berlin, to the minute; by bisection, because a day has 23 to 25 hours. */
function secondsToNextDay(at: Date): number {
  const today = berlinDay(at);
  let [before, from] = [0, LONGEST_DAY_MINUTES];
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (berlinDay(new Date(at.getTime() + middle * MINUTE_SECONDS * 1000)) === today) before = middle;
    else from = middle;
  }
  return from * MINUTE_SECONDS;
}

export async function returnUse(context: DataContext, source: Source, leads: number): Promise<void> {
  if (leads > 0 && source.state === 'live') await sourceCounts.returnUse(context, source, leads);
}

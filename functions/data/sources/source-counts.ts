/**
 * What is left of a source's limits: of a minute, of a day in Berlin and in total. One conditional write recognises a key and
 * counts leads (ADR 14); all of it is in the item of the source, which the writes here change beside its settings.
 */

import type { DataContext } from '#functions/data/context';
import { type Source, sourceSchema } from '#functions/data/sources/source';
import { keys } from '#functions/data/table/keys';
import type { Update, Written } from '#functions/data/table/table';
import type { KeySlot } from '#shared/rules/constants';

/** Who calls, and for how many leads. */
export interface Use {
  readonly source: number;
  readonly slot: KeySlot;
  /** Of the whole key. */
  readonly hash: string;
  readonly leads: number;
  readonly at: Date;
  /** The day of `at` in Berlin. */
  readonly day: string;
}

export type Used =
  | { readonly allowed: true; readonly source: Source }
  /** `key`: there is no such key; else the limit that has no room, or `paused`. */
  | { readonly allowed: false; readonly why: 'key' }
  | {
      readonly allowed: false;
      readonly why: 'paused' | 'per_minute' | 'per_day' | 'in_total';
      readonly source: Source;
    };

const MINUTE_MS = 60_000;
/**
 * The write after a failed one fits what was found, so it fails only if the minute, the day or the settings changed in
 * between. Other calls only begin a minute once, so two or three rounds are usual and this many mean a fault.
 */
const MAX_ROUNDS = 20;

/**
 * Recognises a key and counts leads against every limit, by one write in all but the first calls of a minute. In test
 * only the minute counts. Repeated by the SDK after a lost answer it counts twice, so that less than allowed is taken in.
 */
export async function use({ table }: DataContext, use: Use): Promise<Used> {
  let write = counted(use);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const written: Written = await table.update(write);
    if (written.item === undefined) return { allowed: false, why: 'key' };
    const source = sourceSchema.parse(written.item);
    if (written.ok) return { allowed: true, source };
    if (source.keys[use.slot]?.hash !== use.hash) return { allowed: false, why: 'key' };
    if (source.state === 'paused') return { allowed: false, why: 'paused', source };
    const full = limitWithoutRoom(source, use);
    if (full !== undefined) return { allowed: false, why: full, source };
    write = counted(use, source);
  }
  throw new Error('The limits of the source change too fast');
}

/** Counts leads that an admin takes in, beyond a limit as well. @returns the source with them, as `giveBack` wants it */
export async function count(
  { table }: DataContext,
  source: number,
  leads: number,
  day: string,
): Promise<Source> {
  let write = countedOn(source, leads, day);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const written: Written = await table.update(write);
    if (written.item === undefined) throw new Error('There is no such source');
    const stored = sourceSchema.parse(written.item);
    if (written.ok) return stored;
    write = stored.day < day ? countedFirst(stored, leads, day) : countedOn(source, leads, day);
  }
  throw new Error('The day of the source changes too fast');
}

/**
 * Gives back what was counted for leads that were not taken in. As a transaction, which counts once where the SDK repeats it
 * after a lost answer: given back twice, more would be taken in than the source may send.
 */
export async function giveBack(
  { table }: DataContext,
  { source, day }: Pick<Source, 'source' | 'day'>,
  leads: number,
): Promise<void> {
  const key = keys.source(source);
  const { ok } = await table.transact([
    {
      key,
      update: 'SET day_left = day_left + :leads, total_left = total_left + :leads',
      condition: '#day = :day',
      names: { '#day': 'day' },
      values: { ':leads': leads, ':day': day },
    },
  ]);
  if (!ok)
    await table.transact([
      {
        key,
        update: 'SET total_left = total_left + :leads',
        condition: 'attribute_exists(pk)',
        values: { ':leads': leads },
      },
    ]);
}

const minuteOf = (at: Date) => Math.floor(at.getTime() / MINUTE_MS);

/** The clocks of processes differ: a window never goes back to an earlier one. */
const later = <Window extends number | string>(one: Window, other: Window) => (one > other ? one : other);

function limitWithoutRoom(source: Source, { at, day, leads }: Use) {
  const { per_minute, minute_left, per_day, day_left, total_left } = source;
  if ((source.minute >= minuteOf(at) ? minute_left : per_minute) < leads) return 'per_minute';
  if (source.state === 'test') return undefined;
  if ((source.day >= day ? day_left : per_day) < leads) return 'per_day';
  return total_left < leads ? 'in_total' : undefined;
}

/** A part of the write that counts a call: one limit. */
interface Part {
  readonly set: string;
  readonly condition: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * The write that counts a call.
 * @param seen the source as it was found; by default it is expected to be live, in the minute and on the day of the call
 */
function counted(use: Use, seen?: Source): Update {
  const state = seen?.state ?? 'live';
  const parts = [windowed('minute', minuteOf(use.at), use.leads, seen)];
  if (state === 'live')
    parts.push(windowed('day', use.day, use.leads, seen), {
      set: 'total_left = total_left - :leads',
      condition: 'total_left >= :leads',
      values: { ':leads': use.leads },
    });
  return {
    key: keys.source(use.source),
    update: `SET ${[...parts.map(({ set }) => set), '#keys.#slot.last_used_at = :at'].join(', ')}`,
    condition: [
      '#keys.#slot.#hash = :hash AND #state = :state',
      ...parts.map(({ condition }) => condition),
    ].join(' AND '),
    names: {
      '#keys': 'keys',
      '#slot': use.slot,
      '#hash': 'hash',
      '#state': 'state',
      '#minute': 'minute',
      ...(state === 'live' && { '#day': 'day' }),
    },
    values: Object.assign(
      { ':hash': use.hash, ':state': state, ':at': use.at.toISOString() },
      ...parts.map(({ values }) => values),
    ),
  };
}

/**
 * Counts down what is left of a minute or day, whoever else does so at the same moment. The first call of one sets what is left
 * from the limit; if another call was faster, the condition fails and the next write joins what that one began.
 */
function windowed(name: 'minute' | 'day', own: number | string, leads: number, seen?: Source): Part {
  const at = seen === undefined ? own : later<number | string>(seen[name], own);
  if (seen === undefined || seen[name] === at)
    return {
      set: `${name}_left = ${name}_left - :leads`,
      condition: `#${name} = :${name} AND ${name}_left >= :leads`,
      values: { [`:${name}`]: at, ':leads': leads },
    };
  return {
    set: `#${name} = :${name}, ${name}_left = :${name}_left`,
    condition: `#${name} = :seen_${name} AND version = :version`,
    values: {
      [`:${name}`]: at,
      [`:${name}_left`]: seen[`per_${name}`] - leads,
      [`:seen_${name}`]: seen[name],
      ':version': seen.version,
    },
  };
}

/** The clocks of processes differ: the day never goes back to an earlier one. */
const countedOn = (source: number, leads: number, day: string): Update => ({
  key: keys.source(source),
  update: 'SET day_left = day_left - :leads, total_left = total_left - :leads',
  condition: '#day >= :day',
  names: { '#day': 'day' },
  values: { ':leads': leads, ':day': day },
});

/** The first of a day. */
const countedFirst = (seen: Source, leads: number, day: string): Update => ({
  key: keys.source(seen.source),
  update: 'SET #day = :day, day_left = :day_left, total_left = total_left - :leads',
  condition: 'version = :version AND #day = :seen_day',
  names: { '#day': 'day' },
  values: {
    ':day': day,
    ':day_left': seen.per_day - leads,
    ':leads': leads,
    ':version': seen.version,
    ':seen_day': seen.day,
  },
});

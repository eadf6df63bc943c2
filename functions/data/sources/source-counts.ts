/** The remaining amounts of a source's limits. One conditional write recognises a key and counts leads (ADR 14). */

import type { DataContext } from '#functions/data/context';
import { type Source, sourceSchema } from '#functions/data/sources/source';
import { keys } from '#functions/data/table/keys';
import type { Update, Written } from '#functions/data/table/table';
import type { KeySlot } from '#shared/rules/constants';

export interface Use {
  readonly source: number;
  readonly slot: KeySlot;
  readonly hash: string;
  readonly leads: number;
  readonly at: Date;
  readonly day: string;
}

export type Used =
  | { readonly allowed: true; readonly source: Source }
  | { readonly allowed: false; readonly why: 'key' }
  | {
      readonly allowed: false;
      readonly why: 'paused' | 'per_minute' | 'per_day' | 'in_total';
      readonly source: Source;
    };

const MINUTE_MS = 60_000;
/** After a failed write, the next one matches the item that was found. This many rounds indicate a fault. */
const MAX_ROUNDS = 20;

/**
 * Recognises a key and counts leads against every limit, by one write in all but the first calls of a minute. In test
 * only the minute counts. A repetition by the SDK counts twice, so that fewer leads than allowed are accepted.
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
    const full = exhaustedLimit(source, use);
    if (full !== undefined) return { allowed: false, why: full, source };
    write = counted(use, source);
  }
  throw new Error('The limits of the source change too fast');
}

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

/** As a transaction, which counts once if the SDK repeats it: returned twice, more than the limit would be accepted. */
export async function returnUse(
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

/** The clocks of processes differ: a window never goes back. */
const later = <Window extends number | string>(one: Window, other: Window) => (one > other ? one : other);

function exhaustedLimit(source: Source, { at, day, leads }: Use) {
  const { per_minute, minute_left, per_day, day_left, total_left } = source;
  if ((source.minute >= minuteOf(at) ? minute_left : per_minute) < leads) return 'per_minute';
  if (source.state === 'test') return undefined;
  if ((source.day >= day ? day_left : per_day) < leads) return 'per_day';
  return total_left < leads ? 'in_total' : undefined;
}

interface Part {
  readonly set: string;
  readonly condition: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** @param expected by default a live source, in the minute and on the day of the call */
function counted(use: Use, expected?: Source): Update {
  const state = expected?.state ?? 'live';
  const parts = [windowed('minute', minuteOf(use.at), use.leads, expected)];
  if (state === 'live')
    parts.push(windowed('day', use.day, use.leads, expected), {
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

/** The first call of a minute or day resets the remaining amount to the limit. A slower call then counts in the new period. */
function windowed(name: 'minute' | 'day', own: number | string, leads: number, expected?: Source): Part {
  const at = expected === undefined ? own : later<number | string>(expected[name], own);
  if (expected === undefined || expected[name] === at)
    return {
      set: `${name}_left = ${name}_left - :leads`,
      condition: `#${name} = :${name} AND ${name}_left >= :leads`,
      values: { [`:${name}`]: at, ':leads': leads },
    };
  return {
    set: `#${name} = :${name}, ${name}_left = :${name}_left`,
    condition: `#${name} = :expected_${name} AND version = :version`,
    values: {
      [`:${name}`]: at,
      [`:${name}_left`]: expected[`per_${name}`] - leads,
      [`:expected_${name}`]: expected[name],
      ':version': expected.version,
    },
  };
}

const countedOn = (source: number, leads: number, day: string): Update => ({
  key: keys.source(source),
  update: 'SET day_left = day_left - :leads, total_left = total_left - :leads',
  condition: '#day >= :day',
  names: { '#day': 'day' },
  values: { ':leads': leads, ':day': day },
});

const countedFirst = (expected: Source, leads: number, day: string): Update => ({
  key: keys.source(expected.source),
  update: 'SET #day = :day, day_left = :day_left, total_left = total_left - :leads',
  condition: 'version = :version AND #day = :expected_day',
  names: { '#day': 'day' },
  values: {
    ':day': day,
    ':day_left': expected.per_day - leads,
    ':leads': leads,
    ':version': expected.version,
    ':expected_day': expected.day,
  },
});

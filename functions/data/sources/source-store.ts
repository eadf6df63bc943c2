/** Sources. Their settings change by edits that state the version read; their counts and keys by writes of their own. */

import { type Source, type SourceKey, sourceSchema } from '#functions/data/sources/source';
import { invalidCounted } from '#functions/data/statistics/source-figures';
import { takeNumber } from '#functions/data/table/counter';
import { keys } from '#functions/data/table/keys';
import {
  equations,
  type Table,
  type TransactionItem,
  type Update,
  type Written,
} from '#functions/data/table/table';
import type { KeySlot } from '#shared/contract/constants';

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
/** Each time another call was faster to begin the minute, or an admin changed the state. */
const MAX_ROUNDS = 5;

export type SourceStore = ReturnType<typeof createSourceStore>;

export function createSourceStore(table: Table) {
  const get = async (source: number): Promise<Source | undefined> => {
    const item = await table.get(keys.source(source));
    return item && sourceSchema.parse(item);
  };

  return {
    get,

    /** All sources, the oldest first. */
    async all(): Promise<Source[]> {
      const listed = await table.queryAll({ partition: keys.sources(), consistent: true });
      const items = await table.getMany(listed.map(({ source }) => keys.source(Number(source))));
      return items.flatMap((item) => (item === undefined ? [] : [sourceSchema.parse(item)]));
    },

    /** Takes a number from the counter. No number is given twice. */
    nextId: () => takeNumber(table, 'source'),

    created(source: Source): TransactionItem[] {
      return [
        { put: { ...keys.source(source.source), ...source }, condition: 'attribute_not_exists(pk)' },
        { put: { ...keys.sourceListed(source.source), source: source.source } },
        ...originsChanged(source.source, [], source.origins),
        ...specificationItems(source.source, undefined, source.specification_token),
      ];
    },

    /** The source whose specification this token opens, as long as it is the source's latest. */
    async byToken(token: string): Promise<Source | undefined> {
      const pointer = await table.get(keys.specification(token));
      const source = pointer && (await get(Number(pointer.source)));
      return source?.specification_token === token ? source : undefined;
    },

    /** Another token in place of the one seen; undefined to have none. */
    tokenReplaced(
      { source, specification_token: seen }: Source,
      token: string | undefined,
    ): TransactionItem[] {
      return [
        {
          key: keys.source(source),
          update: token === undefined ? 'REMOVE specification_token' : 'SET specification_token = :token',
          condition:
            seen === undefined
              ? 'attribute_exists(pk) AND attribute_not_exists(specification_token)'
              : 'specification_token = :seen',
          ...((token !== undefined || seen !== undefined) && {
            values: {
              ...(token !== undefined && { ':token': token }),
              ...(seen !== undefined && { ':seen': seen }),
            },
          }),
        },
        ...specificationItems(source, seen, token),
      ];
    },

    /** Changes these settings, on the condition that none has changed since they were read; what is left moves along. */
    changed(seen: Source, fields: Readonly<Partial<Source>>): TransactionItem[] {
      const { texts, names, values } = equations(fields);
      const left = { per_minute: 'minute_left', per_day: 'day_left', in_total: 'total_left' } as const;
      const moves = (['per_minute', 'per_day', 'in_total'] as const).flatMap((limit) => {
        const by = (fields[limit] ?? seen[limit]) - seen[limit];
        return by === 0 ? [] : [{ text: `${left[limit]} = ${left[limit]} + :${limit}`, limit, by }];
      });
      return [
        {
          key: keys.source(seen.source),
          update: `SET ${['version = :next', ...texts, ...moves.map(({ text }) => text)].join(', ')}`,
          condition: 'version = :seen',
          names,
          values: {
            ...values,
            ...Object.fromEntries(moves.map(({ limit, by }) => [`:${limit}`, by])),
            ':seen': seen.version,
            ':next': seen.version + 1,
          },
        },
        ...originsChanged(seen.source, seen.origins, fields.origins ?? seen.origins),
      ];
    },

    /** @param key undefined to revoke; fails where the slot is not as it was seen */
    keyChanged(seen: Source, slot: KeySlot, key: SourceKey | undefined): Update {
      const before = seen.keys[slot];
      return {
        key: keys.source(seen.source),
        update: `${key === undefined ? 'REMOVE' : 'SET'} #keys.#slot${key === undefined ? '' : ' = :key'} ADD version :one`,
        condition: before === undefined ? 'attribute_not_exists(#keys.#slot)' : '#keys.#slot.#hash = :hash',
        names: { '#keys': 'keys', '#slot': slot, ...(before && { '#hash': 'hash' }) },
        values: { ':one': 1, ...(key && { ':key': key }), ...(before && { ':hash': before.hash }) },
      };
    },

    /**
     * Recognises a key and counts leads against every limit, by one write in all but the first call of a minute. In test
     * only the minute counts. Repeated by the SDK after a lost answer it counts twice, so that less than allowed is taken in.
     */
    async use(use: Use): Promise<Used> {
      let write = usual(use);
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        const written: Written = await table.update(write);
        if (written.item === undefined) return { allowed: false, why: 'key' };
        const source = sourceSchema.parse(written.item);
        if (written.ok) return { allowed: true, source };
        if (source.keys[use.slot]?.hash !== use.hash) return { allowed: false, why: 'key' };
        if (source.state === 'paused') return { allowed: false, why: 'paused', source };
        const now = windowsOf(source, use);
        const counted = source.state === 'live';
        if (now.minuteLeft < use.leads) return { allowed: false, why: 'per_minute', source };
        if (counted && now.dayLeft < use.leads) return { allowed: false, why: 'per_day', source };
        if (counted && source.total_left < use.leads) return { allowed: false, why: 'in_total', source };
        write = begun(source, use, now);
      }
      throw new Error('The limits of the source change too fast');
    },

    /** Counts leads that an admin takes in, beyond a limit as well. @returns the source with them, as `giveBack` wants it */
    async count(source: number, leads: number, day: string): Promise<Source> {
      let write = countedOn(source, leads, day);
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        const written: Written = await table.update(write);
        if (written.item === undefined) throw new Error('There is no such source');
        const stored = sourceSchema.parse(written.item);
        if (written.ok) return stored;
        write = stored.day < day ? countedFirst(stored, leads, day) : countedOn(source, leads, day);
      }
      throw new Error('The day of the source changes too fast');
    },

    /**
     * Gives back what was counted for leads that were not taken in. As a transaction, which counts once where the SDK repeats it
     * after a lost answer: given back twice, more would be taken in than the source may send.
     */
    async giveBack({ source, day }: Pick<Source, 'source' | 'day'>, leads: number): Promise<void> {
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
    },

    /** Counts leads that could not be read, on a day of Berlin: nothing else is kept of them. */
    async countInvalid(source: number, leads: number, day: string): Promise<void> {
      await table.update(invalidCounted(day, source, leads));
    },

    /** Whether a page of this origin may post leads of some source. */
    async mayPostFrom(origin: string): Promise<boolean> {
      return (await table.query({ partition: keys.origins(origin), limit: 1 })).items.length > 0;
    },
  };
}

const minuteOf = (at: Date) => Math.floor(at.getTime() / MINUTE_MS);

const RECOGNISED = '#keys.#slot.#hash = :hash';
const recognised = ({ slot }: Use) => ({
  '#keys': 'keys',
  '#slot': slot,
  '#hash': 'hash',
  '#state': 'state',
});

/** As long as the minute lasts. */
function usual(use: Use): Update {
  return {
    key: keys.source(use.source),
    update:
      'SET minute_left = minute_left - :leads, day_left = day_left - :leads, total_left = total_left - :leads, #keys.#slot.last_used_at = :at',
    condition: `${RECOGNISED} AND #state = :live AND #minute = :minute AND #day = :day AND minute_left >= :leads AND day_left >= :leads AND total_left >= :leads`,
    names: { ...recognised(use), '#minute': 'minute', '#day': 'day' },
    values: {
      ':hash': use.hash,
      ':leads': use.leads,
      ':at': use.at.toISOString(),
      ':live': 'live',
      ':minute': minuteOf(use.at),
      ':day': use.day,
    },
  };
}

/** What is left in the windows of the call. The clocks of processes differ: a window never goes back to an earlier one. */
function windowsOf(source: Source, use: Use) {
  const minute = Math.max(source.minute, minuteOf(use.at));
  const day = source.day > use.day ? source.day : use.day;
  return {
    minute,
    day,
    minuteLeft: minute === source.minute ? source.minute_left : source.per_minute,
    dayLeft: day === source.day ? source.day_left : source.per_day,
  };
}

/** In a new minute or day, and in test. */
function begun(seen: Source, use: Use, now: ReturnType<typeof windowsOf>): Update {
  const counted = seen.state === 'live' ? use.leads : 0;
  return {
    key: keys.source(seen.source),
    update:
      'SET #minute = :minute, minute_left = :minute_left, #day = :day, day_left = :day_left, total_left = total_left - :counted, #keys.#slot.last_used_at = :at',
    condition: `${RECOGNISED} AND #state = :state AND version = :version AND #minute = :seen_minute AND minute_left = :seen_minute_left AND #day = :seen_day AND day_left = :seen_day_left AND total_left >= :counted`,
    names: { ...recognised(use), '#minute': 'minute', '#day': 'day' },
    values: {
      ':hash': use.hash,
      ':at': use.at.toISOString(),
      ':state': seen.state,
      ':version': seen.version,
      ':minute': now.minute,
      ':minute_left': now.minuteLeft - use.leads,
      ':day': now.day,
      ':day_left': now.dayLeft - counted,
      ':counted': counted,
      ':seen_minute': seen.minute,
      ':seen_minute_left': seen.minute_left,
      ':seen_day': seen.day,
      ':seen_day_left': seen.day_left,
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

function specificationItems(
  source: number,
  before: string | undefined,
  after: string | undefined,
): TransactionItem[] {
  return [
    ...(before === undefined ? [] : [{ delete: keys.specification(before) }]),
    ...(after === undefined ? [] : [{ put: { ...keys.specification(after), source } }]),
  ];
}

function originsChanged(
  source: number,
  before: readonly string[],
  after: readonly string[],
): TransactionItem[] {
  return [
    ...before
      .filter((origin) => !after.includes(origin))
      .map((origin) => ({ delete: keys.origin(origin, source) })),
    ...after
      .filter((origin) => !before.includes(origin))
      .map((origin) => ({ put: { ...keys.origin(origin, source), source } })),
  ];
}

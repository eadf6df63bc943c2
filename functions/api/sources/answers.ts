import type { Source } from '#functions/data/sources/source';
import { settingsOf } from '#functions/domain/sources/sources';
import { KEY_SLOTS } from '#shared/contract/constants';
import type { SourceRow } from '#shared/contract/schemas/sources';
import { berlinDay } from '#shared/rules/working-days';

/** A source as admins see it, without what its keys and ids are made of. */
export function sourceRow(source: Source, now: Date): SourceRow {
  return {
    source_id: source.source,
    ...settingsOf(source),
    today: source.day === berlinDay(now) ? source.per_day - source.day_left : 0,
    total: source.in_total - source.total_left,
    keys: KEY_SLOTS.flatMap((slot) => {
      const key = source.keys[slot];
      if (key === undefined) return [];
      const { prefix, created_at, last_used_at } = key;
      return [{ slot, prefix, created_at, last_used_at }];
    }),
    created_at: source.created_at,
  };
}

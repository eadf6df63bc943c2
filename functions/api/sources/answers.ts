import { euroOrNull } from '#functions/api/common/hundredths';
import type { Source } from '#functions/data/sources/source';
import { settingsOf } from '#functions/domain/sources/sources';
import type { SourceRow } from '#shared/contract/schemas/sources';
import { SPECIFICATION_PATH } from '#shared/contract/web-headers';
import { KEY_SLOTS } from '#shared/rules/constants';
import { berlinDay } from '#shared/rules/working-days';

/** @param baseUrl without a trailing slash */
export function sourceRow(baseUrl: string, source: Source, now: Date): SourceRow {
  const { specification_token: token } = source;
  return {
    source_id: source.source,
    ...settingsOf(source),
    cost_per_lead: euroOrNull(source.cost_per_lead),
    today: source.day === berlinDay(now) ? source.per_day - source.day_left : 0,
    total: source.in_total - source.total_left,
    specification_link: token === undefined ? null : `${baseUrl}${SPECIFICATION_PATH}${token}`,
    keys: KEY_SLOTS.flatMap((slot) => {
      const key = source.keys[slot];
      if (key === undefined) return [];
      const { prefix, created_at, last_used_at } = key;
      return [{ slot, prefix, created_at, last_used_at }];
    }),
    consent_texts: source.consent_texts.map(({ id, created_at }) => ({ text_id: id, created_at })),
    created_at: source.created_at,
  };
}

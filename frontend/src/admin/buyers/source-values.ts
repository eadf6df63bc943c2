/** The sources of a buyer in forms. */
import type { BuyerRow } from '#shared/contract/schemas/buyers';

/** Null: no such list. At most one of the two is not. */
export interface SourceValues {
  sources_allowed: readonly number[] | null;
  sources_excluded: readonly number[] | null;
}

export const sourceValuesOf = (buyer: Pick<BuyerRow, keyof SourceValues>): SourceValues => ({
  sources_allowed: buyer.sources_allowed.length > 0 ? buyer.sources_allowed : null,
  sources_excluded: buyer.sources_excluded.length > 0 ? buyer.sources_excluded : null,
});

export const sourceFieldsOf = ({ sources_allowed, sources_excluded }: SourceValues) => ({
  sources_allowed: [...(sources_allowed ?? [])],
  sources_excluded: [...(sources_excluded ?? [])],
});

/** Whether a list was chosen without a source in it. */
export const lacksSources = ({ sources_allowed, sources_excluded }: SourceValues): boolean =>
  (sources_allowed ?? sources_excluded)?.length === 0;

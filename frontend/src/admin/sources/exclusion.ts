/** The lists of sources of a buyer, and the change that excludes one. */
import type { BuyerRow } from '#shared/contract/schemas/buyers';

export type SourceLists = Pick<BuyerRow, 'sources_allowed' | 'sources_excluded'>;

export const takesSource = ({ sources_allowed, sources_excluded }: SourceLists, source: number): boolean =>
  sources_allowed.length > 0 ? sources_allowed.includes(source) : !sources_excluded.includes(source);

/** Undefined if the buyer takes this source only: without it, an empty list would allow all. */
export function listsWithout(
  { sources_allowed, sources_excluded }: SourceLists,
  source: number,
): SourceLists | undefined {
  if (sources_allowed.length === 0)
    return {
      sources_allowed,
      sources_excluded: [...new Set([...sources_excluded, source])].toSorted(byNumber),
    };
  const rest = sources_allowed.filter((allowed) => allowed !== source);
  return rest.length === 0 ? undefined : { sources_allowed: rest, sources_excluded };
}

const byNumber = (one: number, other: number) => one - other;

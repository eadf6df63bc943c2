import { useQuery, useQueryClient } from '@tanstack/react-query';

const KEY = ['pinned-buyers'] as const;
const NOBODY: readonly string[] = [];

/**
 * Buyers that were just added or paused in this tab. The list shows them although they are inactive, until the page is
 * reloaded.
 */
export function usePinnedBuyers(): readonly string[] {
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: () => NOBODY,
    enabled: false,
    initialData: NOBODY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

/** Adds a buyer to them. */
export function usePinBuyer(): (buyerId: string) => void {
  const queries = useQueryClient();
  return (buyerId) =>
    queries.setQueryData<readonly string[]>(KEY, (kept = NOBODY) => [
      ...kept.filter((other) => other !== buyerId),
      buyerId,
    ]);
}

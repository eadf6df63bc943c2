import { Suspense } from 'react';
import { lazyComponent } from '../../ui/lazy-component';

const FilterChipList = lazyComponent(async () => (await import('./FilterChipList')).FilterChipList);

export interface Filter {
  /** What is filtered by, such as "Status". */
  readonly name: string;
  /** What is let through; without it the filter is off. */
  readonly value: string;
  readonly remove: () => void;
}

export interface Props {
  readonly filters: readonly Filter[];
  /** The space below, where what surrounds them leaves none. */
  readonly mb?: 'sm' | undefined;
}

/** The filters that are on, whoever set them: a link, an address that was kept, or the fields of the screen. */
export function FilterChips({ filters, mb }: Props) {
  const on = filters.filter(({ value }) => value !== '');
  if (on.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <FilterChipList filters={on} mb={mb} />
    </Suspense>
  );
}

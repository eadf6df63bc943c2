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

/** The filters that are on, whoever set them: a link, an address that was kept, or the fields of the screen. */
export function FilterChips({ filters }: { filters: readonly Filter[] }) {
  const on = filters.filter(({ value }) => value !== '');
  if (on.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <FilterChipList filters={on} />
    </Suspense>
  );
}

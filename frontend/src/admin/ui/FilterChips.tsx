import { Suspense } from 'react';
import { lazyComponent } from '../../ui/lazy-component';
import type { FilterProps } from './FilterChipList';

const FilterChipList = lazyComponent(async () => (await import('./FilterChipList')).FilterChipList);

/** The active filters, whether a link, a bookmark or the screen set them. */
export function FilterChips({ filters, mb }: FilterProps) {
  const on = filters.filter(({ value }) => value !== '');
  if (on.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <FilterChipList filters={on} mb={mb} />
    </Suspense>
  );
}

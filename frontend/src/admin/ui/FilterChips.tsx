import { Suspense } from 'react';
import { lazyComponent } from '../../ui/lazy-component';
import type { FilterProps } from './FilterChipList';

const FilterChipList = lazyComponent(async () => (await import('./FilterChipList')).FilterChipList);

/** The filters that are on, whoever set them: a link, an address that was kept, or the fields of the screen. */
export function FilterChips({ filters, mb }: FilterProps) {
  const on = filters.filter(({ value }) => value !== '');
  if (on.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <FilterChipList filters={on} mb={mb} />
    </Suspense>
  );
}

import { SelectField } from './FilterFields';

export interface Sort {
  readonly by: string;
  readonly dir: 'asc' | 'desc';
}

interface SortSelectProps {
  readonly columns: readonly { readonly key: string; readonly title: string; readonly sort?: unknown }[];
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
}

/** Sorts cards, which have no column headers. */
export function SortSelect({ columns, sort, onSort }: SortSelectProps) {
  return (
    <SelectField
      label="Sort by"
      value={`${sort.by} ${sort.dir}`}
      options={columns
        .filter((column) => column.sort !== undefined)
        .flatMap(({ key, title }) => [
          [`${key} asc`, `${title}, ascending`] as const,
          [`${key} desc`, `${title}, descending`] as const,
        ])}
      choose={(chosen) => {
        const [by = sort.by, dir] = chosen.split(' ');
        onSort({ by, dir: dir === 'desc' ? 'desc' : 'asc' });
      }}
    />
  );
}

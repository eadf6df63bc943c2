import { NativeSelect } from '@mantine/core';

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
    <NativeSelect
      size="xs"
      mb="xs"
      label="Sort by"
      value={`${sort.by} ${sort.dir}`}
      data={columns
        .filter((column) => column.sort !== undefined)
        .flatMap(({ key, title }) => [
          { value: `${key} asc`, label: `${title}, ascending` },
          { value: `${key} desc`, label: `${title}, descending` },
        ])}
      onChange={(event) => {
        const [by = sort.by, dir] = event.currentTarget.value.split(' ');
        onSort({ by, dir: dir === 'desc' ? 'desc' : 'asc' });
      }}
    />
  );
}

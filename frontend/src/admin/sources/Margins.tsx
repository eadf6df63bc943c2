import { Stack, Text, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { formatEuro, formatNumber } from '#shared/rules/formats';
import type { SourceStats } from '../data/insights';
import { type Column, column, DataTable, figureColumn } from '../ui/DataTable';
import { Fold } from '../ui/Fold';
import { countOf, percentText } from '../ui/labels';
import { nameColumn } from '../ui/name-column';
import { monthText } from '../ui/Period';
import { SmallText } from '../ui/SmallText';
import { Tag } from '../ui/Tag';

type Month = SourceStats['months'][number];

interface Line extends Omit<Month, 'month'> {
  readonly id: string;
  readonly name: string;
  /** Empty for the whole period. */
  readonly month: string;
}

const LOSSES_FIRST = { by: 'margin', dir: 'asc' } as const;
const NEWEST_FIRST = { by: 'Month', dir: 'desc' } as const;

/** What each source cost and earned in a period, and in each of its months. */
export function Margins({ sources }: { readonly sources: readonly SourceStats[] }) {
  const lines = useMemo(
    () => sources.map((source): Line => ({ ...source, id: String(source.source_id), month: '' })),
    [sources],
  );
  const months = useMemo(
    () =>
      sources.flatMap(({ source_id, name, months: its }) =>
        its.map((of): Line => ({ ...of, id: `${source_id} ${of.month}`, name })),
      ),
    [sources],
  );
  return (
    <section aria-labelledby="margins-title">
      <Title order={2} size="h4" id="margins-title">
        Margins
      </Title>
      <Text c="dimmed" mb="sm">
        Revenue from original leads, minus the cost of accepted leads. Duplicates cost nothing. You can set
        the cost per lead in the settings of a source.
      </Text>
      <Stack gap="sm">
        <SortedTable label="Margins of sources" columns={COLUMNS} lines={lines} first={LOSSES_FIRST} />
        {months.length > 0 && (
          <Fold title="By month" summary="Months at the edge of the period only with its days">
            <SortedTable
              label="Margins by month"
              columns={COLUMNS_BY_MONTH}
              lines={months}
              first={NEWEST_FIRST}
            />
          </Fold>
        )}
      </Stack>
    </section>
  );
}

interface SortedTableProps {
  readonly label: string;
  readonly columns: readonly Column<Line>[];
  readonly lines: readonly Line[];
  readonly first: typeof LOSSES_FIRST | typeof NEWEST_FIRST;
}

function SortedTable({ label, columns, lines, first }: SortedTableProps) {
  const [sort, setSort] = useState<{ by: string; dir: 'asc' | 'desc' }>(first);
  return (
    <DataTable
      label={label}
      columns={columns}
      rows={lines}
      rowKey={({ id }) => id}
      sort={sort}
      onSort={setSort}
      dense
      cards
    />
  );
}

const UNKNOWN_LAST = Number.MAX_SAFE_INTEGER;

const COLUMNS: readonly Column<Line>[] = [
  { ...nameColumn<Line>('Source', 150, ({ name }) => name), sort: ({ name }) => name },
  figureColumn('accepted', 'Accepted', 80, formatNumber),
  column('Cost', 130, (line) => <Cost {...line} />, {
    align: 'right',
    sort: ({ cost }) => cost ?? UNKNOWN_LAST,
  }),
  figureColumn('assigned', 'Assigned', 80, formatNumber),
  column('Revenue', 130, (line) => <Revenue {...line} />, {
    align: 'right',
    sort: ({ revenue }) => revenue,
  }),
  figureColumn('approved', 'Approved', 80, formatNumber),
  column('Margin', 150, (line) => <MarginText {...line} />, {
    key: 'margin',
    align: 'right',
    sort: ({ margin }) => margin ?? UNKNOWN_LAST,
  }),
  column('Margin %', 90, ({ margin_percent: percent }) => (percent === null ? '–' : percentText(percent)), {
    align: 'right',
    sort: ({ margin_percent: percent }) => percent ?? UNKNOWN_LAST,
  }),
];

const COLUMNS_BY_MONTH: readonly Column<Line>[] = [
  column('Month', 80, ({ month }) => monthText(month), { sort: ({ month }) => month }),
  ...COLUMNS,
];

function Cost({ cost, uncosted }: Line) {
  if (cost !== null) return formatEuro(cost);
  return (
    <div>
      Unknown
      <SmallText>for {countOf(uncosted, 'lead')}</SmallText>
    </div>
  );
}

function Revenue({ revenue, unpriced }: Line) {
  return (
    <div>
      {formatEuro(revenue)}
      {unpriced > 0 && <SmallText>{formatNumber(unpriced)} sold without price</SmallText>}
    </div>
  );
}

function MarginText({ margin }: Line) {
  if (margin === null) return 'Unknown';
  return (
    <div>
      {margin < 0 && <Tag tone="bad">Loss</Tag>} {formatEuro(margin)}
    </div>
  );
}

import { Group, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { berlinDay } from '#shared/rules/working-days';
import { fileUrl } from '../../app/api';
import { type Column, column, DataTable } from '../ui/DataTable';
import { DownloadLink } from '../ui/DownloadLink';
import { ExportLinks } from '../ui/ExportLinks';
import { daysOfPeriod, monthText } from '../ui/Period';
import type { TabProps } from './tabs';

interface Months {
  readonly name: string;
  /** Such as `2026-11`; empty: all months. */
  readonly from: string;
  readonly to: string;
}

/** Downloads the billing figures by month and buyer. */
export function Accounting({ state }: TabProps) {
  const [first, last] = daysOfPeriod(state).map((day) => day.slice(0, 7));
  const [day] = useState(() => berlinDay(new Date()));
  const [month, year] = [day.slice(0, 7), day.slice(0, 4)];
  const rows: Months[] = [
    { name: 'Chosen time range, in whole months', from: first ?? '', to: last ?? '' },
    { name: 'This month', from: month, to: month },
    { name: 'Last month', from: monthBefore(month), to: monthBefore(month) },
    { name: 'This year', from: `${year}-01`, to: month },
    { name: 'All months', from: '', to: '' },
  ];
  return (
    <section aria-labelledby="accounting-title">
      <Title order={2} size="h4" id="accounting-title">
        Accounting
      </Title>
      <Text c="dimmed" mb="sm">
        Orders, deliveries, replacements, prices, revenue and claims by month and buyer. “Leads ordered” is
        the current limit of the orders opened in the month. The XLSX file has a second sheet with the cost,
        revenue and margin of each source; as CSV it is a file of its own.
      </Text>
      <DataTable label="Months to export" columns={COLUMNS} rows={rows} rowKey={({ name }) => name} cards />
    </section>
  );
}

/** `2025-12` before `2026-01` */
function monthBefore(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, '0')}`;
}

function monthsText({ from, to }: Months): string {
  if (from === '') return 'Since the first order';
  return from === to ? monthText(from) : `${monthText(from)} – ${monthText(to)}`;
}

const COLUMNS: readonly Column<Months>[] = [
  column('Export', 260, ({ name }) => name, { grows: true }),
  column('Months', 170, monthsText),
  column('Download', 420, ({ name, from, to }) => (
    <Group gap="xs">
      {from > to ? (
        'The first day is after the last one.'
      ) : (
        <>
          <ExportLinks
            of={`accounting, ${name.toLowerCase()}`}
            address={(format) => fileUrl('exportAccounting', { params: { format }, query: { from, to } })}
          />
          <DownloadLink
            href={fileUrl('exportAccounting', {
              params: { format: 'csv' },
              query: { from, to, of: 'sources' },
            })}
            aria-label={`Sources CSV, ${name.toLowerCase()}`}
          >
            Sources CSV
          </DownloadLink>
        </>
      )}
    </Group>
  )),
];

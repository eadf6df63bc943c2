import { Group, Text, Title } from '@mantine/core';
import { formatNumber } from '#shared/rules/formats';
import { fileUrl } from '../../app/api';
import { durationText } from '../../app/latency-texts';
import { type LatencyRow, type PeriodQuery, useLatencies } from '../data/insights';
import { type Column, column, DataTable } from '../ui/DataTable';
import { ExportLinks } from '../ui/ExportLinks';
import { EmptyState, ListSkeleton, QueryResult } from '../ui/states';

/** How long leads take from intake to assignment and delivery. */
export function Latencies({ period }: { readonly period: PeriodQuery }) {
  const latencies = useLatencies(period);
  return (
    <section aria-labelledby="latencies-title">
      <Group justify="space-between" align="flex-end" mb="sm" gap="sm">
        <Title order={2} size="h4" id="latencies-title">
          Delivery Times
        </Title>
        <Group gap="xs">
          <ExportLinks
            of="delivery times"
            address={(format) => fileUrl('exportLatencies', { params: { format }, query: period })}
          />
        </Group>
      </Group>
      <QueryResult query={latencies} skeleton={<ListSkeleton rows={5} />} what="The times">
        {({ series, error_percent }) =>
          series.length === 0 ? (
            <EmptyState title="No delivery times in this period" hint="They appear with the first lead." />
          ) : (
            <>
              <DataTable
                label="Time of each step"
                columns={COLUMNS}
                rows={series}
                rowKey={({ step }) => step}
                cards
              />
              <Text c="dimmed" mt="xs">
                Half of the leads took at most the median. Rounding: up to {error_percent}%. Excludes leads
                that waited for an order or an admin, and resent deliveries.
              </Text>
            </>
          )
        }
      </QueryResult>
    </section>
  );
}

const quantile = (key: 'p50' | 'p95' | 'p99', title: string): Column<LatencyRow> =>
  column(title, 100, (row) => durationText(row[key]), { key, align: 'right' });

const COLUMNS: readonly Column<LatencyRow>[] = [
  column('Step', 200, ({ step }) => step, { grows: true }),
  column('Leads', 90, ({ leads }) => formatNumber(leads), { align: 'right' }),
  quantile('p50', 'Median'),
  quantile('p95', '95%'),
  quantile('p99', '99%'),
];

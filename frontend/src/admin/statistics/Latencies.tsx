import { Group, NativeSelect, Text, Title } from '@mantine/core';
import { LATENCY_RANGE_DAYS } from '#shared/rules/constants';
import { formatNumber } from '#shared/rules/formats';
import { durationText, LATENCY_RANGE_TEXT } from '../../app/latency-texts';
import { type LatencyRow, useLatencies } from '../data/insights';
import { type Column, column, DataTable } from '../ui/DataTable';
import { ListSkeleton, QueryResult } from '../ui/states';

interface Props {
  /** Days up to today, as in the URL. */
  readonly days: string;
  readonly choose: (days: string) => void;
}

/** How long leads take from intake to assignment and delivery. */
export function Latencies({ days, choose }: Props) {
  const latencies = useLatencies();
  const chosen = LATENCY_RANGE_DAYS.find((range) => String(range) === days) ?? 7;
  return (
    <section aria-labelledby="latencies-title">
      <Group justify="space-between" align="flex-end" mb="sm" gap="sm">
        <Title order={2} size="h4" id="latencies-title">
          Delivery Times
        </Title>
        <NativeSelect
          size="xs"
          label="Leads of"
          value={String(chosen)}
          data={LATENCY_RANGE_DAYS.map((range) => ({
            value: String(range),
            label: LATENCY_RANGE_TEXT[range],
          }))}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      </Group>
      <QueryResult query={latencies} skeleton={<ListSkeleton rows={5} />} what="The times">
        {({ ranges, error_percent }) => (
          <>
            <DataTable
              label="Time of each step"
              columns={COLUMNS}
              rows={ranges.find((range) => range.days === chosen)?.series ?? []}
              rowKey={({ step }) => step}
              cards
            />
            <Text c="dimmed" mt="xs">
              Half of the leads took at most the median. Rounding: up to {error_percent}%. Excludes leads that
              waited for an order or an admin, and resent deliveries.
            </Text>
          </>
        )}
      </QueryResult>
    </section>
  );
}

const quantile = (key: 'p50' | 'p95' | 'p99', title: string): Column<LatencyRow> =>
  column(title, 100, ({ quantiles }) => (quantiles === null ? '–' : durationText(quantiles[key])), {
    key,
    align: 'right',
  });

const COLUMNS: readonly Column<LatencyRow>[] = [
  column('Step', 200, ({ step }) => step, { grows: true }),
  column('Leads', 90, ({ quantiles }) => (quantiles === null ? '–' : formatNumber(quantiles.leads)), {
    align: 'right',
  }),
  quantile('p50', 'Median'),
  quantile('p95', '95%'),
  quantile('p99', '99%'),
];

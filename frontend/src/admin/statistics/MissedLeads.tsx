import { Title } from '@mantine/core';
import { useMemo } from 'react';
import { formatNumber } from '#shared/rules/formats';
import type { BuyerStats } from '../data/insights';
import { type Column, column, DataTable } from '../ui/DataTable';
import { EmptyState } from '../ui/states';

/** Why buyers did not get leads of the chosen days, from the decision records. Exported with the table of figures. */
export function MissedLeads({ rows }: { rows: readonly BuyerStats[] }) {
  const missing = useMemo(
    () => rows.filter((row) => missed(row) > 0).toSorted((a, b) => missed(b) - missed(a)),
    [rows],
  );
  return (
    <section aria-labelledby="missed-title">
      <Title order={2} size="h4" id="missed-title" mb="sm">
        Missed Leads
      </Title>
      {missing.length === 0 ? (
        <EmptyState
          title="No buyer missed a lead"
          hint="Leads that went to another buyer because of a full order, minimum investment, hours, a cap or a refusal are counted here."
        />
      ) : (
        <DataTable
          label="Missed leads"
          columns={COLUMNS}
          rows={missing}
          rowKey={(row) => row.buyer_id}
          maxHeight="40vh"
        />
      )}
    </section>
  );
}

const missed = (row: BuyerStats) =>
  row.missed_limit_reached +
  row.missed_below_minimum +
  row.missed_outside_schedule +
  row.missed_cap_reached +
  row.refused;

const COLUMNS: readonly Column<BuyerStats>[] = [
  column('Buyer ID', 110, (row) => row.buyer_id),
  column('Leads in the chosen period', 230, whyText),
];

/** `missed 14: limit reached 8, below minimum 6` */
function whyText(row: BuyerStats): string {
  const reasons = [
    ['limit reached', row.missed_limit_reached],
    ['below minimum', row.missed_below_minimum],
    ['outside hours', row.missed_outside_schedule],
    ['cap reached', row.missed_cap_reached],
    ['refused', row.refused],
  ] as const;
  return `missed ${formatNumber(missed(row))}: ${reasons
    .filter(([, leads]) => leads > 0)
    .map(([reason, leads]) => `${reason} ${formatNumber(leads)}`)
    .join(', ')}`;
}

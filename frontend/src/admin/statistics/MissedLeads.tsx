import { Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { formatNumber } from '#shared/rules/formats';
import type { BuyerStats } from '../data/insights';
import { BuyerLink } from '../ui/BuyerLink';
import { type Column, column, DataTable } from '../ui/DataTable';
import { signed } from '../ui/labels';
import { EmptyState } from '../ui/states';

/** Each buyer's share of the leads of the chosen days, and why it did not get others. Exported with the overview's table. */
export function MissedLeads({ rows }: { rows: readonly BuyerStats[] }) {
  const shown = useMemo(
    () =>
      rows
        .filter((row) => missed(row) > 0 || row.share_wanted > 0 || row.share_got > 0)
        .toSorted((a, b) => missed(b) - missed(a) || a.share_distance - b.share_distance),
    [rows],
  );
  return (
    <section aria-labelledby="missed-title">
      <Title order={2} size="h4" id="missed-title" mb="sm">
        Missed Leads
      </Title>
      {shown.length === 0 ? (
        <EmptyState
          title="No buyer missed a lead"
          hint="Leads that went to another buyer because of a full order, minimum investment, hours, a cap or a refusal are counted here."
        />
      ) : (
        <>
          <DataTable
            label="Shares and missed leads"
            columns={COLUMNS}
            rows={shown}
            rowKey={(row) => row.buyer_id}
            cards
          />
          <Text c="dimmed" mt="xs">
            Share: the leads that a buyer received by its probability, out of those due to it in this period.
            Replacements and leads assigned by an admin are not part of it, so a buyer’s total can be higher.
          </Text>
        </>
      )}
    </section>
  );
}

const missed = (row: BuyerStats) =>
  row.missed_limit_reached +
  row.missed_below_minimum +
  row.missed_outside_criteria +
  row.missed_without_consent +
  row.missed_outside_schedule +
  row.missed_cap_reached +
  row.refused;

const COLUMNS: readonly Column<BuyerStats>[] = [
  column('Buyer ID', 160, (row) => <BuyerLink buyerId={row.buyer_id} />),
  column(
    'Share',
    170,
    (row) =>
      `${formatNumber(row.share_got)} of ${formatNumber(row.share_wanted)} (${signed(row.share_distance)})`,
  ),
  column('Missed', 300, whyText, { grows: true }),
];

/** `14: limit reached 8, below minimum 6`; `35: below minimum` */
function whyText(row: BuyerStats): string {
  const reasons = [
    ['limit reached', row.missed_limit_reached],
    ['below minimum', row.missed_below_minimum],
    ['other criteria', row.missed_outside_criteria],
    ['without consent', row.missed_without_consent],
    ['outside hours', row.missed_outside_schedule],
    ['cap reached', row.missed_cap_reached],
    ['refused', row.refused],
  ] as const;
  const all = missed(row);
  if (all === 0) return '0';
  return `${formatNumber(all)}: ${reasons
    .filter(([, leads]) => leads > 0)
    .map(([reason, leads]) => (leads === all ? reason : `${reason} ${formatNumber(leads)}`))
    .join(', ')}`;
}

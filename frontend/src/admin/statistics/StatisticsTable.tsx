import { Badge } from '@mantine/core';
import { useMemo } from 'react';
import { formatEuro, formatNumber } from '#shared/rules/formats';
import type { BuyerStats } from '../data/insights';
import { type Column, DataTable, type Sort } from '../ui/DataTable';
import { percentText } from '../ui/labels';

interface Props {
  readonly rows: readonly BuyerStats[];
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
}

export function StatisticsTable({ rows, sort, onSort }: Props) {
  const priced = rows.some((row) => row.price_per_lead !== null || row.total_revenue !== null);
  const columns = priced ? [...COLUMNS, ...PRICE_COLUMNS, STATUS_COLUMN] : [...COLUMNS, STATUS_COLUMN];
  const sorted = useMemo(() => sortRows(rows, sort), [rows, sort]);
  const revenue = rows.reduce((cents, row) => cents + Math.round((row.total_revenue ?? 0) * 100), 0) / 100;
  return (
    <DataTable
      label="Figures per buyer"
      columns={columns}
      rows={sorted}
      rowKey={(row) => row.buyer_id}
      sort={sort}
      onSort={onSort}
      footer={
        priced && (
          <tr>
            <td>Total Revenue</td>
            <td colSpan={columns.length - 2} style={{ textAlign: 'right' }}>
              {formatEuro(revenue)}
            </td>
            {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- the status has no sum */}
            <td />
          </tr>
        )
      }
    />
  );
}

const count = (
  key:
    | 'total_leads_received'
    | 'active_orders'
    | 'completed_orders'
    | 'pending_reimbursements'
    | 'total_claims',
  title: string,
  width: number,
): Column<BuyerStats> => ({
  key,
  title,
  width,
  align: 'right',
  sortable: true,
  cell: (row) => formatNumber(row[key]),
});

const COLUMNS: readonly Column<BuyerStats>[] = [
  { key: 'buyer_id', title: 'Buyer ID', width: 150, sortable: true, cell: (row) => row.buyer_id },
  count('total_leads_received', 'Total Leads', 120),
  count('active_orders', 'Active Orders', 135),
  count('completed_orders', 'Completed Orders', 165),
  count('pending_reimbursements', 'Pending Reimbursements', 205),
  count('total_claims', 'Claims', 100),
  {
    key: 'claim_approval_rate',
    title: 'Approval Rate %',
    width: 150,
    align: 'right',
    sortable: true,
    cell: (row) => (row.claim_approval_rate === null ? '–' : percentText(row.claim_approval_rate)),
  },
  {
    key: 'current_probability',
    title: 'Probability %',
    width: 145,
    align: 'right',
    sortable: true,
    cell: (row) => percentText(row.current_probability),
  },
  {
    key: 'share_wanted',
    title: 'Share wanted',
    width: 135,
    align: 'right',
    sortable: true,
    cell: (row) => formatNumber(row.share_wanted),
  },
  {
    key: 'share_got',
    title: 'Share got',
    width: 115,
    align: 'right',
    sortable: true,
    cell: (row) => formatNumber(row.share_got),
  },
  {
    key: 'share_distance',
    title: 'Distance',
    width: 110,
    align: 'right',
    sortable: true,
    cell: (row) => `${row.share_distance > 0 ? '+' : ''}${formatNumber(row.share_distance)}`,
  },
  {
    key: 'buyer_type',
    title: 'Type',
    width: 110,
    sortable: true,
    cell: (row) => <Badge color={row.buyer_type === 'prepay' ? 'teal.9' : 'blue.8'}>{row.buyer_type}</Badge>,
  },
];

const PRICE_COLUMNS: readonly Column<BuyerStats>[] = [
  {
    key: 'price_per_lead',
    title: 'Price/Lead',
    width: 135,
    align: 'right',
    sortable: true,
    cell: (row) => (row.price_per_lead === null ? '–' : formatEuro(row.price_per_lead)),
  },
  {
    key: 'total_revenue',
    title: 'Revenue',
    width: 140,
    align: 'right',
    sortable: true,
    cell: (row) => (row.total_revenue === null ? '–' : formatEuro(row.total_revenue)),
  },
];

const STATUS_COLUMN: Column<BuyerStats> = {
  key: 'active',
  title: 'Status',
  width: 110,
  sortable: true,
  cell: (row) => (
    <Badge color={row.active === 1 ? 'teal.9' : 'gray.7'}>{row.active === 1 ? 'Active' : 'Inactive'}</Badge>
  ),
};

function sortRows(rows: readonly BuyerStats[], { by, dir }: Sort): BuyerStats[] {
  const factor = dir === 'asc' ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [left, right] = [valueOf(a, by), valueOf(b, by)];
    if (typeof left === 'number' && typeof right === 'number') return factor * (left - right);
    return factor * String(left).localeCompare(String(right), 'de');
  });
}

function valueOf(row: BuyerStats, by: string): unknown {
  const value = Object.entries(row).find(([name]) => name === by)?.[1];
  return value ?? -1;
}

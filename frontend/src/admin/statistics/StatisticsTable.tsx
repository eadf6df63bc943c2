import { Badge } from '@mantine/core';
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
  const columns = priced ? PRICED_COLUMNS : UNPRICED_COLUMNS;
  const revenue = rows.reduce((cents, row) => cents + Math.round((row.total_revenue ?? 0) * 100), 0) / 100;
  return (
    <DataTable
      label="Figures per buyer"
      columns={columns}
      rows={rows}
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
  sort: (row) => row[key],
  cell: (row) => formatNumber(row[key]),
});

const COLUMNS: readonly Column<BuyerStats>[] = [
  {
    key: 'buyer_id',
    title: 'Buyer ID',
    width: 150,
    sort: (row) => row.buyer_id,
    cell: (row) => row.buyer_id,
  },
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
    sort: (row) => row.claim_approval_rate ?? -1,
    cell: (row) => (row.claim_approval_rate === null ? '–' : percentText(row.claim_approval_rate)),
  },
  {
    key: 'current_probability',
    title: 'Probability %',
    width: 145,
    align: 'right',
    sort: (row) => row.current_probability,
    cell: (row) => percentText(row.current_probability),
  },
  {
    key: 'share_wanted',
    title: 'Share wanted',
    width: 135,
    align: 'right',
    sort: (row) => row.share_wanted,
    cell: (row) => formatNumber(row.share_wanted),
  },
  {
    key: 'share_got',
    title: 'Share got',
    width: 115,
    align: 'right',
    sort: (row) => row.share_got,
    cell: (row) => formatNumber(row.share_got),
  },
  {
    key: 'share_distance',
    title: 'Distance',
    width: 110,
    align: 'right',
    sort: (row) => row.share_distance,
    cell: (row) => `${row.share_distance > 0 ? '+' : ''}${formatNumber(row.share_distance)}`,
  },
  {
    key: 'buyer_type',
    title: 'Type',
    width: 110,
    sort: (row) => row.buyer_type,
    cell: (row) => <Badge color={row.buyer_type === 'prepay' ? 'teal.9' : 'blue.8'}>{row.buyer_type}</Badge>,
  },
];

const PRICE_COLUMNS: readonly Column<BuyerStats>[] = [
  {
    key: 'price_per_lead',
    title: 'Price/Lead',
    width: 135,
    align: 'right',
    sort: (row) => row.price_per_lead ?? -1,
    cell: (row) => (row.price_per_lead === null ? '–' : formatEuro(row.price_per_lead)),
  },
  {
    key: 'total_revenue',
    title: 'Revenue',
    width: 140,
    align: 'right',
    sort: (row) => row.total_revenue ?? -1,
    cell: (row) => (row.total_revenue === null ? '–' : formatEuro(row.total_revenue)),
  },
];

const STATUS_COLUMN: Column<BuyerStats> = {
  key: 'active',
  title: 'Status',
  width: 110,
  sort: (row) => row.active,
  cell: (row) => (
    <Badge color={row.active === 1 ? 'teal.9' : 'gray.7'}>{row.active === 1 ? 'Active' : 'Inactive'}</Badge>
  ),
};

const UNPRICED_COLUMNS = [...COLUMNS, STATUS_COLUMN];
const PRICED_COLUMNS = [...COLUMNS, ...PRICE_COLUMNS, STATUS_COLUMN];

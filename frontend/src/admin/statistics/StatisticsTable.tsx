import { Badge } from '@mantine/core';
import { formatEuro, formatNumber } from '#shared/rules/formats';
import type { BuyerStats } from '../data/insights';
import { type Column, DataTable, figureColumn, type Sort } from '../ui/DataTable';
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

const signed = (figure: number) => `${figure > 0 ? '+' : ''}${formatNumber(figure)}`;

const COLUMNS: readonly Column<BuyerStats>[] = [
  {
    key: 'buyer_id',
    title: 'Buyer ID',
    width: 150,
    sort: (row) => row.buyer_id,
    cell: (row) => row.buyer_id,
  },
  figureColumn('total_leads_received', 'Total Leads', 120, formatNumber),
  figureColumn('active_orders', 'Active Orders', 135, formatNumber),
  figureColumn('completed_orders', 'Completed Orders', 165, formatNumber),
  figureColumn('pending_reimbursements', 'Pending Reimbursements', 205, formatNumber),
  figureColumn('total_claims', 'Claims', 100, formatNumber),
  figureColumn('claim_approval_rate', 'Approval Rate %', 150, percentText),
  figureColumn('current_probability', 'Probability %', 145, percentText),
  figureColumn('share_wanted', 'Share wanted', 135, formatNumber),
  figureColumn('share_got', 'Share got', 115, formatNumber),
  figureColumn('share_distance', 'Distance', 110, signed),
  {
    key: 'buyer_type',
    title: 'Type',
    width: 110,
    sort: (row) => row.buyer_type,
    cell: (row) => <Badge color={row.buyer_type === 'prepay' ? 'teal.9' : 'blue.8'}>{row.buyer_type}</Badge>,
  },
];

const PRICE_COLUMNS: readonly Column<BuyerStats>[] = [
  figureColumn('price_per_lead', 'Price/Lead', 135, formatEuro),
  figureColumn('total_revenue', 'Revenue', 140, formatEuro),
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

import { formatEuro, formatNumber } from '#shared/rules/formats';
import type { BuyerStats } from '../data/insights';
import { LeadsFigure } from '../leads/LeadsFigure';
import { BuyerLink, buyerPath } from '../ui/BuyerLink';
import { type Column, column, DataTable, figureColumn } from '../ui/DataTable';
import { percentText } from '../ui/labels';
import type { Sort } from '../ui/SortSelect';
import { Tag } from '../ui/Tag';
import { TextLink } from '../ui/TextLink';
import classes from './StatisticsTable.module.css';

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
    <div className={classes.narrow}>
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
    </div>
  );
}

/** A figure that links to the orders that it sums up. */
const ordersColumn = (
  key: 'active_orders' | 'completed_orders' | 'pending_reimbursements',
  title: string,
  width: number,
): Column<BuyerStats> => ({
  ...figureColumn(key, title, width, formatNumber),
  cell: (row) => <OrdersFigure figure={formatNumber(row[key])} buyerId={row.buyer_id} />,
});

function OrdersFigure({ figure, buyerId }: { figure: string; buyerId: string }) {
  return (
    <TextLink to={buyerPath(buyerId, 'orders')} aria-label={`${figure}, show the orders of ${buyerId}`}>
      {figure}
    </TextLink>
  );
}

function ClaimsFigure({ figure, buyerId }: { figure: string; buyerId: string }) {
  return (
    <TextLink
      to={`/dashboard/claimed-leads?buyer=${encodeURIComponent(buyerId)}`}
      aria-label={`${figure}, show the claims of ${buyerId}`}
    >
      {figure}
    </TextLink>
  );
}

const COLUMNS: readonly Column<BuyerStats>[] = [
  column('Buyer ID', 96, (row) => <BuyerLink buyerId={row.buyer_id} />, {
    key: 'buyer_id',
    sort: (row) => row.buyer_id,
  }),
  {
    ...figureColumn('total_leads_received', 'Total Leads', 50, formatNumber),
    cell: ({ buyer_id, total_leads_received }) => (
      <LeadsFigure figure={total_leads_received} filter={{ by: 'assigned', buyer_id }} of={buyer_id} />
    ),
  },
  ordersColumn('active_orders', 'Active Orders', 54),
  ordersColumn('completed_orders', 'Completed Orders', 78),
  ordersColumn('pending_reimbursements', 'Pending Reimbursements', 108),
  {
    ...figureColumn('total_claims', 'Claims', 50, formatNumber),
    cell: (row) => <ClaimsFigure figure={formatNumber(row.total_claims)} buyerId={row.buyer_id} />,
  },
  figureColumn('claim_approval_rate', 'Approval Rate %', 68, percentText),
  figureColumn('current_probability', 'Probability %', 76, percentText),
  column(
    'Type',
    70,
    (row) => <Tag tone={row.buyer_type === 'prepay' ? 'good' : 'info'}>{row.buyer_type}</Tag>,
    { key: 'buyer_type', sort: (row) => row.buyer_type },
  ),
];

const PRICE_COLUMNS: readonly Column<BuyerStats>[] = [
  figureColumn('price_per_lead', 'Price/Lead', 74, formatEuro),
  figureColumn('total_revenue', 'Revenue', 88, formatEuro),
];

const STATUS_COLUMN: Column<BuyerStats> = column(
  'Status',
  70,
  (row) => <Tag tone={row.active === 1 ? 'good' : 'neutral'}>{row.active === 1 ? 'Active' : 'Inactive'}</Tag>,
  { key: 'active', sort: (row) => row.active },
);

const UNPRICED_COLUMNS = [...COLUMNS, STATUS_COLUMN];
const PRICED_COLUMNS = [...COLUMNS, ...PRICE_COLUMNS, STATUS_COLUMN];

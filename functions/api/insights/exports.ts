import { type ExportDeps, type Exported, exported } from '#functions/api/common/exports';
import { buyerStatsRow } from '#functions/api/insights/answers';
import type { AccountingLine } from '#functions/domain/statistics/accounting';
import type { BuyerStatistics, BuyerTotals } from '#functions/domain/statistics/buyer-statistics';
import type { Column } from '#functions/exports/sheet';
import type { ExportFormat } from '#shared/rules/constants';

const ACCOUNTING: readonly Column<AccountingLine>[] = [
  { header: 'Month', width: 10, type: 'text', value: ({ month }) => month },
  { header: 'Buyer ID', width: 20, type: 'text', value: ({ buyer }) => buyer.buyer_id },
  { header: 'Buyer email', width: 30, type: 'text', value: ({ buyer }) => buyer.buyer_email },
  { header: 'Type', width: 10, type: 'text', value: ({ buyer }) => buyer.buyer_type },
  { header: 'Orders', width: 10, type: 'number', value: ({ orders }) => orders },
  { header: 'Leads ordered', width: 14, type: 'number', value: ({ ordered }) => ordered },
  {
    header: 'Leads delivered',
    width: 16,
    type: 'number',
    value: ({ originals, replacements }) => originals + replacements,
  },
  { header: 'Original leads', width: 14, type: 'number', value: ({ originals }) => originals },
  { header: 'Replacements', width: 14, type: 'number', value: ({ replacements }) => replacements },
  { header: 'Price/Lead (€)', width: 14, type: 'euro', value: ({ lowestPrice }) => lowestPrice },
  { header: 'Highest Price/Lead (€)', width: 22, type: 'euro', value: ({ highestPrice }) => highestPrice },
  { header: 'Revenue (€)', width: 16, type: 'euro', value: ({ revenue }) => revenue },
  { header: 'Claims', width: 10, type: 'number', value: ({ claims }) => claims },
  { header: 'Claims approved', width: 16, type: 'number', value: ({ approved }) => approved },
  { header: 'Claims rejected', width: 16, type: 'number', value: ({ rejected }) => rejected },
  {
    header: 'Claims pending',
    width: 16,
    type: 'number',
    value: ({ claims, approved, rejected }) => claims - approved - rejected,
  },
];

/** `Accounting.xlsx`, or `Accounting from 2026-01 to 2026-11.xlsx`. */
export function exportAccounting(
  context: ExportDeps,
  input: {
    readonly rows: readonly AccountingLine[];
    readonly from?: string | undefined;
    readonly to?: string | undefined;
    readonly format: ExportFormat;
  },
): Promise<Exported> {
  const { rows, from, to, format } = input;
  const months = [from === undefined ? '' : ` from ${from}`, to === undefined ? '' : ` to ${to}`].join('');
  return exported(context, { name: `Accounting${months}`, columns: ACCOUNTING, rows }, format);
}

type StatisticsLine = BuyerTotals & { readonly row: ReturnType<typeof buyerStatsRow> };

const STATISTICS: readonly Column<StatisticsLine>[] = [
  { header: 'Buyer ID', width: 20, type: 'text', value: ({ buyer }) => buyer.buyer_id },
  {
    header: 'Total Leads',
    width: 12,
    type: 'number',
    value: ({ originals, replacements }) => originals + replacements,
  },
  { header: 'Original Leads', width: 14, type: 'number', value: ({ originals }) => originals },
  { header: 'Reimbursements', width: 15, type: 'number', value: ({ replacements }) => replacements },
  { header: 'Active Orders', width: 13, type: 'number', value: ({ activeOrders }) => activeOrders },
  { header: 'Completed Orders', width: 17, type: 'number', value: ({ completedOrders }) => completedOrders },
  {
    header: 'Pending Reimbursements',
    width: 23,
    type: 'number',
    value: ({ pendingReplacements }) => pendingReplacements,
  },
  { header: 'Claims', width: 10, type: 'number', value: ({ buyer }) => buyer.total_claims },
  { header: 'Approval Rate %', width: 16, type: 'number', value: ({ row }) => row.claim_approval_rate },
  { header: 'Probability %', width: 14, type: 'number', value: ({ probability }) => probability / 100 },
  { header: 'Target share', width: 13, type: 'number', value: ({ row }) => row.share_wanted },
  { header: 'Actual share', width: 11, type: 'number', value: ({ shareGot }) => shareGot },
  { header: 'Distance', width: 11, type: 'number', value: ({ row }) => row.share_distance },
  {
    header: 'Missed: limit reached',
    width: 21,
    type: 'number',
    value: ({ missedLimitReached }) => missedLimitReached,
  },
  {
    header: 'Missed: below minimum',
    width: 22,
    type: 'number',
    value: ({ missedBelowMinimum }) => missedBelowMinimum,
  },
  {
    header: 'Missed: outside hours',
    width: 21,
    type: 'number',
    value: ({ missedOutsideSchedule }) => missedOutsideSchedule,
  },
  {
    header: 'Missed: cap reached',
    width: 20,
    type: 'number',
    value: ({ missedCapReached }) => missedCapReached,
  },
  { header: 'Type', width: 10, type: 'text', value: ({ buyer }) => buyer.buyer_type },
  { header: 'Price/Lead (€)', width: 14, type: 'euro', value: ({ buyer }) => buyer.price_per_lead },
  { header: 'Revenue (€)', width: 16, type: 'euro', value: ({ revenue }) => revenue },
  { header: 'Status', width: 10, type: 'text', value: ({ active }) => (active ? 'Active' : 'Inactive') },
];

/** `Buyer Statistics 2026-10-24 to 2026-11-22.xlsx` */
export function exportStatistics(
  context: ExportDeps,
  { buyers, totals, format }: BuyerStatistics & { readonly format: ExportFormat },
): Promise<Exported> {
  const name = `Buyer Statistics ${totals.from} to ${totals.to}`;
  const rows = buyers.map((buyer) => ({ ...buyer, row: buyerStatsRow(buyer) }));
  return exported(context, { name, columns: STATISTICS, rows }, format);
}

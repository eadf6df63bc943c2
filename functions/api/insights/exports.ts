import { type ExportDeps, type Exported, exported } from '#functions/api/common/exports';
import { buyerStatsRow, marginPercent, stepText } from '#functions/api/insights/answers';
import type { AccountingLine, Months } from '#functions/domain/statistics/accounting';
import type { BuyerStatistics, BuyerTotals } from '#functions/domain/statistics/buyer-statistics';
import type { LatencyPeriod, SeriesTimes } from '#functions/domain/statistics/latency';
import type { SourceMonth } from '#functions/domain/statistics/source-statistics';
import { type Column, euroColumn, numberColumn, textColumn } from '#shared/files/sheet';
import type { ExportFormat } from '#shared/rules/constants';

const ACCOUNTING: readonly Column<AccountingLine>[] = [
  textColumn('Month', 10, ({ month }) => month),
  textColumn('Buyer ID', 20, ({ buyer }) => buyer.buyer_id),
  textColumn('Buyer email', 30, ({ buyer }) => buyer.buyer_email),
  textColumn('Type', 10, ({ buyer }) => buyer.buyer_type),
  numberColumn('Orders', 10, ({ orders }) => orders),
  numberColumn('Leads ordered', 14, ({ ordered }) => ordered),
  numberColumn('Leads delivered', 16, ({ originals, replacements }) => originals + replacements),
  numberColumn('Original leads', 14, ({ originals }) => originals),
  numberColumn('Replacements', 14, ({ replacements }) => replacements),
  euroColumn('Price/Lead (€)', 14, ({ lowestPrice }) => lowestPrice),
  euroColumn('Highest Price/Lead (€)', 22, ({ highestPrice }) => highestPrice),
  euroColumn('Revenue (€)', 16, ({ revenue }) => revenue),
  numberColumn('Claims', 10, ({ claims }) => claims),
  numberColumn('Claims approved', 16, ({ approved }) => approved),
  numberColumn('Claims rejected', 16, ({ rejected }) => rejected),
  numberColumn('Claims pending', 16, ({ claims, approved, rejected }) => claims - approved - rejected),
];

const SOURCES: readonly Column<SourceMonth>[] = [
  textColumn('Month', 10, ({ month }) => month),
  textColumn('Source', 24, ({ source }) => source.name),
  textColumn('src', 20, ({ source }) => source.src),
  numberColumn('Leads', 10, ({ accepted }) => accepted),
  numberColumn('Refused', 10, ({ duplicates }) => duplicates),
  numberColumn('Leads without cost', 18, ({ uncosted }) => uncosted),
  euroColumn('Cost (€)', 16, ({ cost }) => cost),
  numberColumn('Assigned', 10, ({ assigned }) => assigned),
  numberColumn('Sold without price', 18, ({ unpriced }) => unpriced),
  euroColumn('Revenue (€)', 16, ({ revenue }) => revenue),
  numberColumn('Claims', 10, ({ claimed }) => claimed),
  numberColumn('Claims approved', 16, ({ approved }) => approved),
  euroColumn('Margin (€)', 16, ({ margin }) => margin),
  numberColumn('Margin %', 12, marginPercent),
];

/** `Accounting.xlsx`, `Accounting by source.csv`, or `Accounting from 2026-01 to 2026-11.xlsx`. */
export function exportAccounting(
  context: ExportDeps,
  input: Months & {
    readonly buyers: readonly AccountingLine[];
    readonly sources: readonly SourceMonth[];
    readonly of: 'buyers' | 'sources';
    readonly format: ExportFormat;
  },
): Promise<Exported> {
  const { from, to, of, format } = input;
  const months = [from === undefined ? '' : ` from ${from}`, to === undefined ? '' : ` to ${to}`].join('');
  const bySource = { name: 'Sources', columns: SOURCES, rows: input.sources };
  if (format === 'csv' && of === 'sources')
    return exported(context, { ...bySource, name: `Accounting by source${months}` }, format);
  const byBuyer = { name: `Accounting${months}`, columns: ACCOUNTING, rows: input.buyers };
  return exported(context, byBuyer, format, bySource);
}

type StatisticsLine = BuyerTotals & { readonly row: ReturnType<typeof buyerStatsRow> };

const STATISTICS: readonly Column<StatisticsLine>[] = [
  textColumn('Buyer ID', 20, ({ buyer }) => buyer.buyer_id),
  numberColumn('Total Leads', 12, ({ originals, replacements }) => originals + replacements),
  numberColumn('Original Leads', 14, ({ originals }) => originals),
  numberColumn('Reimbursements', 15, ({ replacements }) => replacements),
  numberColumn('Active Orders', 13, ({ activeOrders }) => activeOrders),
  numberColumn('Completed Orders', 17, ({ completedOrders }) => completedOrders),
  numberColumn('Pending Reimbursements', 23, ({ pendingReplacements }) => pendingReplacements),
  numberColumn('Claims', 10, ({ buyer }) => buyer.total_claims),
  numberColumn('Approval Rate %', 16, ({ row }) => row.claim_approval_rate),
  numberColumn('Probability %', 14, ({ probability }) => probability / 100),
  numberColumn('Target share', 13, ({ row }) => row.share_wanted),
  numberColumn('Actual share', 11, ({ shareGot }) => shareGot),
  numberColumn('Distance', 11, ({ row }) => row.share_distance),
  numberColumn('Missed: limit reached', 21, ({ missedLimitReached }) => missedLimitReached),
  numberColumn('Missed: below minimum', 22, ({ missedBelowMinimum }) => missedBelowMinimum),
  numberColumn('Missed: other criteria', 22, ({ missedOutsideCriteria }) => missedOutsideCriteria),
  numberColumn('Missed: without consent', 23, ({ missedWithoutConsent }) => missedWithoutConsent),
  numberColumn('Missed: outside hours', 21, ({ missedOutsideSchedule }) => missedOutsideSchedule),
  numberColumn('Missed: cap reached', 20, ({ missedCapReached }) => missedCapReached),
  textColumn('Type', 10, ({ buyer }) => buyer.buyer_type),
  euroColumn('Price/Lead (€)', 14, ({ buyer }) => buyer.price_per_lead),
  euroColumn('Revenue (€)', 16, ({ revenue }) => revenue),
  textColumn('Status', 10, ({ active }) => (active ? 'Active' : 'Inactive')),
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

const LATENCIES: readonly Column<SeriesTimes>[] = [
  textColumn('Step', 30, ({ series }) => stepText(series)),
  numberColumn('Leads', 10, ({ quantiles }) => quantiles.leads),
  numberColumn('Median (ms)', 14, ({ quantiles }) => quantiles.p50),
  numberColumn('95% (ms)', 12, ({ quantiles }) => quantiles.p95),
  numberColumn('99% (ms)', 12, ({ quantiles }) => quantiles.p99),
];

/** `Delivery Times 2026-10-24 to 2026-11-22.csv` */
export const exportLatencies = (
  context: ExportDeps,
  { from, to, series }: LatencyPeriod,
  format: ExportFormat,
): Promise<Exported> =>
  exported(context, { name: `Delivery Times ${from} to ${to}`, columns: LATENCIES, rows: series }, format);

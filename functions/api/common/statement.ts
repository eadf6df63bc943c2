import { type ExportDeps, type Exported, exported } from '#functions/api/common/exports';
import { euro, euroOrNull } from '#functions/api/common/hundredths';
import type { AccountFigures, Statement, StatementOrder } from '#functions/domain/orders/statement';
import type { StatementRow } from '#shared/contract/rows/statement';
import { type Column, euroColumn, numberColumn, textColumn, timeColumn } from '#shared/files/sheet';
import type { ExportFormat } from '#shared/rules/constants';
import { berlinDay, daysBetween } from '#shared/rules/working-days';

export function statementAnswer(statement: Statement, now: Date): StatementRow {
  const today = berlinDay(now);
  return {
    orders: statement.orders.map(orderAnswer),
    sum: euro(statement.sum),
    balance: statement.balance,
    owed: statement.owed.map(({ position, claimId, since }) => ({
      position,
      claim_id: claimId,
      since,
      days: daysBetween(berlinDay(new Date(since)), today),
    })),
  };
}

function orderAnswer({ order, lines, total, owed }: StatementOrder): StatementRow['orders'][number] {
  return {
    buyer_order_number: order.buyer_order_number,
    order_created_at: order.created_at,
    deleted: order.deleted_at !== null,
    buyer_type: order.buyer_type,
    price_per_lead: euroOrNull(order.price_per_lead),
    lines: lines.map((line) => ({ month: line.month, ...figuresAnswer(line) })),
    total: figuresAnswer(total),
    owed,
  };
}

function figuresAnswer(figures: AccountFigures & { readonly sum: number | null }) {
  const { originals, replacements, claims, approved, rejected, sum } = figures;
  return {
    delivered: originals,
    replaced: replacements,
    claimed: claims,
    approved,
    rejected,
    pending: claims - approved - rejected,
    sum: euroOrNull(sum),
  };
}

/** An order in a month, or an owed replacement. */
interface FileLine {
  readonly order?: StatementOrder;
  readonly line?: StatementOrder['lines'][number];
  readonly owed?: Statement['owed'][number];
}

const number = (header: string, value: (figures: AccountFigures) => number): Column<FileLine> => ({
  header,
  width: 12,
  type: 'number',
  value: ({ line }) => (line === undefined ? null : value(line)),
});

const COLUMNS: readonly Column<FileLine>[] = [
  numberColumn('Bestellung', 12, ({ order }) => order?.order.buyer_order_number ?? null),
  textColumn('Monat', 14, ({ line }) =>
    line === undefined ? null : (line.month ?? 'noch nicht zugeordnet'),
  ),
  number('Geliefert', ({ originals }) => originals),
  number('Reklamiert', ({ claims }) => claims),
  number('Genehmigt', ({ approved }) => approved),
  number('Abgelehnt', ({ rejected }) => rejected),
  number('In Prüfung', ({ claims, approved, rejected }) => claims - approved - rejected),
  number('Ersetzt', ({ replacements }) => replacements),
  euroColumn('Preis je Lead (€)', 16, ({ order }) => order?.order.price_per_lead ?? null),
  euroColumn('Summe (€)', 14, ({ line }) => line?.sum ?? null),
  numberColumn('Ersatz offen: Reklamation', 24, ({ owed }) => owed?.claimId ?? null),
  timeColumn('Offen seit (Berlin)', 18, ({ owed }) => owed?.since ?? null),
  numberColumn('Platz', 8, ({ owed }) => owed?.position ?? null),
];

/** `Abrechnung 2026-11-22.xlsx` */
export function exportStatement(
  context: ExportDeps,
  { orders, owed }: Statement,
  format: ExportFormat,
  now: Date,
): Promise<Exported> {
  const rows: readonly FileLine[] = [
    ...orders.flatMap((order) => order.lines.map((line) => ({ order, line }))),
    ...owed.map((one) => ({ owed: one })),
  ];
  return exported(context, { name: `Abrechnung ${berlinDay(now)}`, columns: COLUMNS, rows }, format);
}

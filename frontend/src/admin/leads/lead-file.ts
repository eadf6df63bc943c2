import { toCsv } from '#shared/files/csv';
import { type Column, euroColumn, numberColumn, textColumn, timeColumn } from '#shared/files/sheet';
import { toXlsx } from '#shared/files/xlsx';
import type { ExportFormat } from '#shared/rules/constants';
import { LEAD, LEAD_FIELDS } from '#shared/rules/lead-fields';
import type { ExportedLead } from '../data/lead-list';
import { deliveryText } from '../ui/delivery-texts';
import { textOf } from './lead-texts';

type Lead = ExportedLead;

const fields = LEAD_FIELDS.map((name): Column<Lead> => {
  const { kind, label } = LEAD[name];
  if (kind === 'euro') return euroColumn(label.en, 18, (lead) => Math.round(Number(lead[name]) * 100));
  if (kind === 'months') return numberColumn(label.en, 10, (lead) => Number(lead[name]));
  return textColumn(label.en, 22, (lead) => (lead[name] === null ? null : String(lead[name])));
});

const COLUMNS: readonly Column<Lead>[] = [
  timeColumn('Received (Berlin)', 20, ({ received_at }) => received_at),
  textColumn('Status', 12, ({ status }) => textOf(status)),
  textColumn('Lead', 12, ({ display_id }) => display_id),
  ...fields,
  textColumn('Lead source', 20, ({ source }) => source && source.name),
  textColumn('Buyer', 20, ({ buyer_id }) => buyer_id),
  numberColumn('Order ID', 10, ({ order_id }) => order_id),
  timeColumn('Assigned (Berlin)', 20, ({ assigned_at }) => assigned_at),
  textColumn('Type', 12, ({ lead_type }) => lead_type && textOf(lead_type)),
  textColumn('Delivery', 12, ({ delivery }) => delivery && deliveryText(delivery)),
  textColumn('Claim', 12, ({ claim_status }) => claim_status && textOf(claim_status)),
  textColumn('Consent', 10, ({ consent }) => (consent ? 'Yes' : 'No')),
  textColumn('System ID', 30, ({ lead_id }) => lead_id),
];

/** All columns of the listed leads, in their order. */
export async function leadFile(
  leads: readonly Lead[],
  format: ExportFormat,
): Promise<Uint8Array<ArrayBuffer>> {
  const sheet = { name: 'Leads', columns: COLUMNS, rows: leads };
  return format === 'xlsx' ? toXlsx(sheet) : toCsv(sheet);
}

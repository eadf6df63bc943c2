/** Files of leads: German for buyers, English for admins. */
import { personRow } from '#functions/api/common/person';
import { type ConsentItem, recordOf } from '#functions/data/leads/consent';
import { displayId, type Lead } from '#functions/data/leads/lead';
import type { ExportFile, FileStore } from '#functions/exports/file-store';
import { toCsv } from '#shared/files/csv';
import { type Column, type Sheet, textColumn, timeColumn } from '#shared/files/sheet';
import { toXlsx } from '#shared/files/xlsx';
import { consentLine } from '#shared/rules/consent';
import {
  type ClaimStatus,
  EXPORT_MEDIA_TYPES,
  type ExportFormat,
  type LeadType,
} from '#shared/rules/constants';
import {
  EURO_FIELDS,
  isNumber,
  LEAD,
  labelOf,
  PERSON,
  PERSON_FIELDS,
  type PersonField,
} from '#shared/rules/lead-fields';
import { pendingReasonText } from '#shared/rules/reasons';

export interface ExportDeps {
  readonly files: FileStore;
}

/** Large files are answered with a link that is valid for a few minutes. */
export type Exported = ExportFile | { readonly location: string };

/** A Lambda may answer 6 MB, and base64 makes the file a third larger. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

const CLAIM_TEXT = {
  pending: 'In Prüfung',
  approved: 'Genehmigt',
  rejected: 'Abgelehnt',
} as const satisfies Record<ClaimStatus, string>;

const TYPE_TEXT: Readonly<Record<LeadType, string>> = { original: 'Original', reimbursement: 'Ersatz' };

/** In characters; other columns have 18. */
const WIDTHS: { readonly [Name in PersonField]?: number } = {
  anrede: 10,
  nachname: 20,
  email: 32,
  anlagebetrag: 22,
  laufzeit: 16,
};

const person = (language: 'de' | 'en') =>
  PERSON_FIELDS.map((name): Column<Lead> => {
    const head = { header: labelOf(name, language), width: WIDTHS[name] ?? 18 };
    if (isNumber(PERSON[name])) {
      const type = EURO_FIELDS.has(name) ? 'euro' : 'number';
      return { ...head, type, value: (lead) => Number(lead[name]) };
    }
    return { ...head, type: 'text', value: (lead) => textOf(lead, name) };
  });

function textOf(lead: Lead, name: PersonField): string | null {
  const value = lead.erased_at === undefined ? lead[name] : personRow(lead, 'de')[name];
  return value === undefined ? null : String(value);
}

type Consents = ReadonlyMap<string, ConsentItem>;

const consentColumn = (header: string, consents: Consents, language: 'de' | 'en') =>
  textColumn<Lead>(header, 34, ({ lead_id, withdrawn_at }) => {
    const consent = recordOf(consents.get(lead_id))?.consent;
    return consent === undefined ? null : consentLine(consent, withdrawn_at, language);
  });

const delivered = (consents: Consents): readonly Column<Lead>[] => [
  textColumn('Lead-Nr.', 12, number),
  timeColumn('Geliefert am (Berlin)', 20, ({ assigned_at }) => assigned_at ?? null),
  ...person('de'),
  textColumn('Art', 10, ({ lead_type }) => TYPE_TEXT[lead_type ?? 'original']),
  textColumn('Reklamation', 14, ({ claim_status }) =>
    claim_status === undefined ? null : CLAIM_TEXT[claim_status],
  ),
  consentColumn('Einwilligung', consents, 'de'),
];

/**
 * `Leads Bestellung 12.xlsx`, `Originalleads Bestellung 12.xlsx`, `Ersatzleads Bestellung 12.csv`. @param input
 * `number` is the `buyer_order_number`; `part` limits the file to the original leads or the replacements
 */
export function exportLeads(
  context: ExportDeps,
  input: {
    readonly number: number;
    readonly leads: readonly Lead[];
    readonly format: ExportFormat;
    readonly part?: LeadType | undefined;
    readonly consents: Consents;
  },
): Promise<Exported> {
  const { number, part, format } = input;
  const name = `${part === undefined ? 'Leads' : `${TYPE_TEXT[part]}leads`} Bestellung ${number}`;
  const rows = part === undefined ? input.leads : input.leads.filter(({ lead_type }) => lead_type === part);
  return exported(context, { name, columns: delivered(input.consents), rows }, format);
}

/** `Pending Leads.xlsx`. @param input `buyerIds` by internal number, for leads under manual review */
export function exportPending(
  context: ExportDeps,
  input: {
    readonly leads: readonly Lead[];
    readonly buyerIds: ReadonlyMap<number, string>;
    readonly consents: Consents;
    readonly format: ExportFormat;
  },
): Promise<Exported> {
  const columns: readonly Column<Lead>[] = [
    timeColumn('Received (Berlin)', 22, ({ received_at }) => received_at),
    textColumn('Reason', 36, ({ reason }) => (reason ? pendingReasonText(reason) : null)),
    textColumn('Meant for', 20, ({ intended_buyer }) =>
      intended_buyer === undefined ? null : (input.buyerIds.get(intended_buyer) ?? null),
    ),
    ...person('en'),
    textColumn(LEAD.src.label.en, 18, ({ src }) => src ?? null),
    textColumn(LEAD.clickId.label.en, 24, ({ clickId }) => clickId ?? null),
    textColumn('System ID', 30, ({ lead_id }) => lead_id),
    consentColumn('Consent', input.consents, 'en'),
  ];
  return exported(context, { name: 'Pending Leads', columns, rows: input.leads }, input.format);
}

/** @param second another sheet, which CSV cannot have */
export async function exported<Row, Other>(
  context: ExportDeps,
  sheet: Sheet<Row>,
  format: ExportFormat,
  second?: Sheet<Other>,
): Promise<Exported> {
  const file: ExportFile = {
    filename: `${sheet.name}.${format}`,
    contentType: EXPORT_MEDIA_TYPES[format],
    content: format === 'xlsx' ? await toXlsx(sheet, second) : toCsv(sheet),
  };
  return keptIfLarge(context, file);
}

export const keptIfLarge = async ({ files }: ExportDeps, file: ExportFile): Promise<Exported> =>
  file.content.length > MAX_ANSWER_BYTES ? { location: await files.keep(file) } : file;

function number({ order_id, sequence }: Lead): string | null {
  return order_id === undefined || sequence === undefined ? null : displayId({ order_id, sequence });
}

/** The audit trail in the words of the screens, without stored names and IDs. */
import type { Answer } from '#shared/contract/schemas';
import { fieldLabel } from '#shared/rules/field-labels';
import { formatDateTime, formatNumber } from '#shared/rules/formats';

type AuditEntry = Answer<'listAudit'>['entries'][number];
export type AuditChange = AuditEntry['changes'][number];

/** Ids of leads and templates: 26 characters, of which the first ten are the time (github.com/ulid/spec). */
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const ULID_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Replaces the ID in the entry of an export of all pending leads. */
export const PENDING_LEADS = 'pending';

/** "Buyer acme", "Order 12", "Lead of 22.11.2026, 08:12" */
export function subjectText({ entity, entity_id }: Pick<AuditEntry, 'entity' | 'entity_id'>): string {
  if (entity === 'lead' && entity_id === PENDING_LEADS) return 'Pending leads';
  const name = ULID.test(entity_id) ? `of ${formatDateTime(timeOf(entity_id))}` : entity_id;
  return `${entity.charAt(0).toUpperCase()}${entity.slice(1)} ${name}`;
}

/** "Probability: 20 → 30". @param names the names of the records that values may refer to by their id */
export function changeText({ field, from, to }: AuditChange, names: ReadonlyMap<string, string>): string {
  return `${fieldLabel(field)}: ${valueText(from, names)} → ${valueText(to, names)}`;
}

function valueText(value: unknown, names: ReadonlyMap<string, string>): string {
  if (value === null || value === undefined || value === '') return '–';
  if (Array.isArray(value) && value.length === 0) return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value !== 'string') return JSON.stringify(value);
  if (ULID.test(value)) return names.get(value) ?? `a record from ${formatDateTime(timeOf(value))}`;
  return INSTANT.test(value) ? formatDateTime(new Date(value)) : value;
}

function timeOf(ulid: string): Date {
  return new Date(
    Array.from(ulid.slice(0, 10)).reduce((ms, digit) => ms * 32 + ULID_DIGITS.indexOf(digit), 0),
  );
}

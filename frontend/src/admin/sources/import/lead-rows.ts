/** The rows of a file as leads. Pure functions. */

import type { Answer } from '#shared/contract/schemas';
import { CONSENT_CHANNEL_LABELS, CONSENT_CHANNELS } from '#shared/rules/consent';
import { TIME_ZONE } from '#shared/rules/formats';
import { INTAKE_FIELDS, type IntakeField } from '#shared/rules/lead-fields';
import { pendingReasonText } from '#shared/rules/reasons';
import { withPhonePrefix } from '#shared/rules/search-text';
import { FIELD_TEXTS } from '../field-texts';
import { COLUMN_FIELDS, type Columns } from './match-column-headers';
import type { FileRow, FileTable } from './read-table';

export type RowResult = Answer<'importLeads'>['results'][number];
export type PostedRow = { readonly [Field in IntakeField]?: string };

/** Derived from the file's content, so importing a file again stores no row twice. */
export const externalId = ({ hash }: Pick<FileTable, 'hash'>, { number }: Pick<FileRow, 'number'>) =>
  `${hash}:${number}`;

export function leadOf(table: Pick<FileTable, 'hash'>, row: FileRow, columns: Columns): PostedRow {
  const fields = COLUMN_FIELDS.flatMap((name) => {
    const text = cellOf(row, columns, name);
    return text === '' ? [] : [[name, readText(name, text)]];
  });
  return { external_id: externalId(table, row), ...Object.fromEntries(fields) };
}

export function cellOf(row: FileRow, columns: Columns, name: IntakeField): string {
  const at = columns[name];
  const text = at === undefined ? '' : (row.cells[at] ?? '');
  // A spreadsheet that stores it as a number has lost its plus or zero.
  return name === 'telefon' ? withPhonePrefix(text) : text;
}

/** As the API expects it; any other text stays and is refused. */
function readText(name: IntakeField, text: string): string {
  if (name === 'anrede') return salutationOf(text);
  if (name === 'consent_given_at' || name === 'consent_confirmed_at') return instantOf(text);
  return name === 'consent_channels' ? channelsOf(text) : text;
}

const MOMENT = /^(\d\d?)\.(\d\d?)\.(\d{4})(?:,? +(\d\d?):(\d\d)(?::(\d\d))?)?(?: *Uhr)?$/;

const two = (digits: string) => digits.padStart(2, '0');

/** `24.11.2026 14:03` in Berlin as an instant; a day alone is its beginning. */
function instantOf(text: string): string {
  const [, day = '', month = '', year = '', hour = '0', minute = '00', second = '00'] =
    MOMENT.exec(text) ?? [];
  const asUtc = Date.parse(`${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${second}Z`);
  if (new Date(asUtc).getUTCDate() !== Number(day)) return text;
  // Summer time is tried first, so an hour that exists twice is the earlier one.
  const found = [2, 1]
    .map((ahead) => new Date(asUtc - ahead * 3_600_000))
    .find((at) => berlinClock(at) === asUtc);
  return found === undefined ? text : found.toISOString();
}

const CLOCK = new Intl.DateTimeFormat('sv-SE', {
  timeZone: TIME_ZONE,
  dateStyle: 'short',
  timeStyle: 'medium',
});
/** What clocks in Berlin show, as if it were UTC. */
const berlinClock = (at: Date) => Date.parse(`${CLOCK.format(at).replace(' ', 'T')}Z`);

const CHANNELS = CONSENT_CHANNELS.map((name) => {
  const { de, en } = CONSENT_CHANNEL_LABELS[name];
  return { name, words: [name, de, en].map((word) => word.toLowerCase()) };
});

/** `Telefon, E-Mail` as `phone, email`. */
const channelsOf = (text: string) =>
  text
    .split(/[\s,;+/]+/)
    .map((one) => CHANNELS.find(({ words }) => words.includes(one.toLowerCase()))?.name ?? one)
    .join(', ');

const MR = /^(herr|hr\.?|mr\.?|m|male|m(ä|ae)nnlich)$/i;
const MRS = /^(frau|fr\.?|mrs\.?|ms\.?|w|f|female|weiblich)$/i;

/** Normalises to `Herr` or `Frau`; any other text stays and is refused. */
function salutationOf(text: string): string {
  if (MR.test(text)) return 'Herr';
  return MRS.test(text) ? 'Frau' : text;
}

export interface Outcome {
  readonly tone: 'good' | 'wait' | 'bad' | 'neutral';
  readonly text: string;
  readonly why: string;
}

/** The actual or predicted outcome of a row. */
export function outcomeOf(result: RowResult): Outcome {
  switch (result.status) {
    case 'accepted':
      return { tone: 'good', text: 'Imported', why: '' };
    case 'duplicate':
      return { tone: 'wait', text: 'Duplicate', why: result.error ?? '' };
    case 'withdrawn':
      return { tone: 'bad', text: 'Consent withdrawn', why: result.error ?? '' };
    case 'conflict':
      return { tone: 'bad', text: 'Conflict', why: 'This row was imported before with other values' };
    case 'invalid':
      return { tone: 'bad', text: 'Invalid', why: fieldErrors(result) };
    case 'test':
      return expectationOf(result.predicted_outcome);
  }
}

function expectationOf(predictedOutcome: RowResult['predicted_outcome']): Outcome {
  switch (predictedOutcome?.status) {
    case 'assigned':
      return { tone: 'good', text: 'Assigned', why: `To ${predictedOutcome.buyer ?? 'a buyer'}` };
    case 'pending':
      return {
        tone: 'wait',
        text: 'Pending',
        why: predictedOutcome.reason === undefined ? '' : pendingReasonText(predictedOutcome.reason),
      };
    case 'duplicate':
      return { tone: 'wait', text: 'Duplicate', why: 'This source has already sent this person' };
    case 'withdrawn':
      return { tone: 'bad', text: 'Consent withdrawn', why: 'The row has no newer consent' };
    case 'known':
      return { tone: 'neutral', text: 'Known', why: 'This row was already imported' };
    case undefined:
      return { tone: 'neutral', text: 'Checked', why: '' };
  }
}

/** `Phone: Required; E-mail: Please enter a valid email address` */
function fieldErrors({ error = '', fields }: RowResult): string {
  if (fields === undefined) return error;
  return Object.entries(fields)
    .map(([name, text]) => {
      const known = INTAKE_FIELDS.find((one) => one === name);
      return `${known === undefined ? name : FIELD_TEXTS[known]}: ${text}`;
    })
    .join('; ');
}

/** The number of rows with each outcome, the most frequent first. */
export function countOutcomes(results: readonly (RowResult | undefined)[]): (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const result of results) {
    if (result === undefined) continue;
    const { text } = outcomeOf(result);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one);
}

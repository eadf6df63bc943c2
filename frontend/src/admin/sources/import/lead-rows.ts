/** The rows of a file as leads. Pure functions. */

import type { Answer } from '#shared/contract/schemas';
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
    return text === '' ? [] : [[name, name === 'anrede' ? salutationOf(text) : text]];
  });
  return { external_id: externalId(table, row), ...Object.fromEntries(fields) };
}

export function cellOf(row: FileRow, columns: Columns, name: IntakeField): string {
  const at = columns[name];
  const text = at === undefined ? '' : (row.cells[at] ?? '');
  // A spreadsheet that stores it as a number has lost its plus or zero.
  return name === 'telefon' ? withPhonePrefix(text) : text;
}

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

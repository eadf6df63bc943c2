import { unparse } from 'papaparse';
import { withoutFormula } from '#shared/rules/formulas';
import { outcomeOf, type RowResult } from './lead-rows';
import type { FileRow } from './read-table';

/** The result of each sent row, as CSV for a German Excel. */
export function resultFile(rows: readonly FileRow[], results: readonly (RowResult | undefined)[]): string {
  const lines = rows.flatMap(({ number }, at) => {
    const result = results[at];
    if (result === undefined) return [];
    const { text, why } = outcomeOf(result);
    return [[String(number), text, result.lead_id ?? '', why].map(withoutFormula)];
  });
  return `\ufeff${unparse([['Row', 'Status', 'Lead ID', 'Error'], ...lines], { delimiter: ';', newline: '\r\n', quotes: true })}\r\n`;
}

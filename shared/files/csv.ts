/**
 * CSV as the German Excel reads it: UTF-8 with a byte order mark, semicolons, CRLF, decimal commas. Texts that a
 * spreadsheet would evaluate as a formula get an apostrophe in front (OWASP ASVS 1.2.10), except phone numbers and
 * plain numbers. All texts are quoted (RFC 4180).
 */
import { type CellWriter, cellOf, printable, type Sheet } from '#shared/files/sheet';
import { formatDateTime } from '#shared/rules/formats';
import { withoutFormula } from '#shared/rules/formulas';

export function toCsv<Row>({ columns, rows }: Sheet<Row>): Uint8Array<ArrayBuffer> {
  const lines = [
    columns.map(({ header }) => CELLS.text(header)),
    ...rows.map((row) => columns.map((column) => cellOf(column, row, CELLS))),
  ];
  return new TextEncoder().encode(`\ufeff${lines.map((cells) => `${cells.join(';')}\r\n`).join('')}`);
}

const CELLS: CellWriter<string> = {
  empty: '',
  text: (value) => (value === '' ? '' : `"${withoutFormula(printable(value)).replaceAll('"', '""')}"`),
  number: (value) => String(value).replace('.', ','),
  euro: (cents) => (cents / 100).toFixed(2).replace('.', ','),
  dateTime: (instant) => formatDateTime(new Date(instant)).replace(',', ''),
};

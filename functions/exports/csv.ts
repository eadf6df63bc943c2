/**
 * CSV as the German Excel reads it: UTF-8 with a byte order mark, semicolons, CRLF, decimal commas.
 *
 * A text that a spreadsheet would evaluate as a formula gets an apostrophe in front (OWASP ASVS 1.2.10), and every text
 * is quoted, so that a separator in it cannot start a new cell.
 */
import { type CellWriter, cellOf, printable, type Sheet } from '#functions/exports/sheet';
import { formatDateTime } from '#shared/rules/formats';

/** The characters that start a formula, including their full-width forms, also after white space. */
const FORMULA = /^[\s\u200b\ufeff]*[=+\-@＝＋－＠]/;
const FIRST_CONTROL = /^[\t\r\n]/;

export async function toCsv<Row>({ columns, rows }: Sheet<Row>): Promise<Uint8Array> {
  // Imported on demand, because most processes never write a file.
  const { stringify } = await import('csv-stringify/sync');
  const lines = [
    columns.map(({ header }) => header),
    ...rows.map((row) => columns.map((column) => cellOf(column, row, CELLS))),
  ];
  const text = stringify(lines, {
    delimiter: ';',
    record_delimiter: 'windows',
    bom: true,
    quoted_match: /[^\d,.: ]/,
  });
  return new TextEncoder().encode(text);
}

const CELLS: CellWriter<string> = {
  empty: '',
  text: harmless,
  number: (value) => String(value).replace('.', ','),
  euro: (cents) => (cents / 100).toFixed(2).replace('.', ','),
  dateTime: (instant) => formatDateTime(new Date(instant)).replace(',', ''),
};

function harmless(text: string): string {
  const clean = printable(text);
  return FORMULA.test(clean) || FIRST_CONTROL.test(clean) ? `'${clean}` : clean;
}

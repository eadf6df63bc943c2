/**
 * CSV as the German Excel reads it: UTF-8 with a byte order mark, semicolons, CRLF, decimal commas. Texts that a
 * spreadsheet would evaluate as a formula get an apostrophe in front (OWASP ASVS 1.2.10), except phone numbers and
 * plain numbers. All texts are quoted.
 */
import { type CellWriter, cellOf, printable, type Sheet } from '#functions/exports/sheet';
import { formatDateTime } from '#shared/rules/formats';
import { withoutFormula } from '#shared/rules/formulas';

export async function toCsv<Row>({ columns, rows }: Sheet<Row>): Promise<Uint8Array> {
  // On demand, because most processes never write a file.
  const { stringify } = await import('csv-stringify/sync');
  const lines = [
    columns.map(({ header }) => header),
    ...rows.map((row) => columns.map((column) => cellOf(column, row, CELLS))),
  ];
  const text = stringify(lines, {
    delimiter: ';',
    record_delimiter: 'windows',
    bom: true,
    quoted_string: true,
    quoted_empty: false,
    cast: { object: (cell) => (cell instanceof Figure ? cell.text : '') },
  });
  return new TextEncoder().encode(text);
}

/** An unquoted cell. */
class Figure {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const CELLS: CellWriter<string | Figure> = {
  empty: '',
  text: (value) => withoutFormula(printable(value)),
  number: (value) => new Figure(String(value).replace('.', ',')),
  euro: (cents) => new Figure((cents / 100).toFixed(2).replace('.', ',')),
  dateTime: (instant) => new Figure(formatDateTime(new Date(instant)).replace(',', '')),
};

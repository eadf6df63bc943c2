/** Excel files: real numbers and dates, so that sorting and summing work; formats show them the German way. */
import type { CellObject, WorkSheet } from 'xlsx';
import { berlinClock } from '#functions/exports/berlin-clock';
import { type CellWriter, cellOf, printable, type Sheet } from '#functions/exports/sheet';

/** Characters that a cell can hold. */
const CELL_MAX = 32_767;
const DAY = 86_400_000;
/** Day 0 of Excel's calendar, with which 1 January 1970 is day 25,569 (ECMA-376 part 1, 18.17.4.1). */
const UNIX_EPOCH = 25_569;
const WHOLE = '#,##0';
const DECIMAL = '#,##0.00';
const EURO = '#,##0.00 "€"';
const DATE_TIME = 'dd\\.mm\\.yyyy\\ hh:mm';
/**
 * By number. The library would give our own ones numbers below 164, which belong to the programs that read the file
 * (ECMA-376 part 1, 18.8.30); 65535 is how it calls the default.
 */
const FORMATS = {
  0: 'General',
  3: WHOLE,
  4: DECIMAL,
  164: EURO,
  165: DATE_TIME,
  65535: 'General',
} as const;

/**
 * @returns the file's bytes: a header row, then one row each. Texts are never formulas: they are stored as shared
 *   strings, which no program evaluates
 */
export async function toXlsx<Row>(sheet: Sheet<Row>): Promise<Uint8Array> {
  // Loaded only when a file is made: it would double the start-up time of a function that rarely makes one.
  const { write } = await import('xlsx');
  const name = sheetName(sheet.name);
  const workbook = { SheetNames: [name], Sheets: { [name]: worksheet(sheet) }, SSF: FORMATS };
  const written: unknown = write(workbook, {
    type: 'array',
    bookType: 'xlsx',
    bookSST: true,
    compression: true,
  });
  if (!(written instanceof ArrayBuffer))
    throw new TypeError('The spreadsheet library answered with no bytes');
  return new Uint8Array(written);
}

function worksheet<Row>({ columns, rows }: Sheet<Row>): WorkSheet {
  const cells: WorkSheet = {};
  for (const [at, column] of columns.entries()) {
    const letters = columnName(at);
    cells[`${letters}1`] = { t: 's', v: column.header } satisfies CellObject;
    for (const [down, row] of rows.entries()) {
      const cell = cellOf(column, row, CELLS);
      if (cell !== null) cells[`${letters}${down + 2}`] = cell;
    }
  }
  const corner = `${columnName(columns.length - 1)}${rows.length + 1}`;
  cells['!ref'] = `A1:${corner}`;
  cells['!cols'] = columns.map(({ width }) => ({ wch: width }));
  cells['!autofilter'] = { ref: `A1:${corner}` };
  return cells;
}

const CELLS: CellWriter<CellObject | null> = {
  empty: null,
  text: (value) => (value === '' ? null : { t: 's', v: printable(value).slice(0, CELL_MAX) }),
  number: (value) => ({ t: 'n', v: value, z: Number.isInteger(value) ? WHOLE : DECIMAL }),
  euro: (cents) => ({ t: 'n', v: cents / 100, z: EURO }),
  dateTime: (instant) => ({ t: 'n', v: berlinClock(instant).getTime() / DAY + UNIX_EPOCH, z: DATE_TIME }),
};

/** `A` for 0, `Z` for 25, `AA` for 26. */
function columnName(at: number): string {
  const last = String.fromCodePoint(65 + (at % 26));
  return at < 26 ? last : columnName(Math.floor(at / 26) - 1) + last;
}

/** At most 31 characters and none of `[]:*?/\`, which Excel refuses in the name of a sheet. */
function sheetName(name: string): string {
  return printable(name)
    .replace(/[[\]:*?/\\]/g, ' ')
    .slice(0, 31);
}

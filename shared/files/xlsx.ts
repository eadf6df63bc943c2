/** Numbers and dates are stored as such, so that they can be sorted and summed, and shown in German formats. */
import type { CellObject, WorkSheet } from 'xlsx';
import { berlinClock } from '#shared/files/berlin-clock';
import { type CellWriter, cellOf, printable, type Sheet } from '#shared/files/sheet';

/** Excel's limit. */
const MAX_CELL_CHARACTERS = 32_767;
const DAY_MS = 86_400_000;
/** 1 January 1970 in Excel's calendar (ECMA-376 part 1, 18.17.4.1). */
const UNIX_EPOCH_DAYS = 25_569;
const WHOLE = '#,##0';
const DECIMAL = '#,##0.00';
const EURO = '#,##0.00 "€"';
const DATE_TIME = 'dd\\.mm\\.yyyy\\ hh:mm';
/**
 * IDs below 164 are reserved for built-in formats (ECMA-376 part 1, 18.8.30); 65535 is the library's default format.
 */
const FORMATS = {
  0: 'General',
  3: WHOLE,
  4: DECIMAL,
  164: EURO,
  165: DATE_TIME,
  65535: 'General',
} as const;

/** Texts are stored as shared strings, which no program evaluates as formulas. */
export async function toXlsx<Row, Other>(
  sheet: Sheet<Row>,
  second?: Sheet<Other>,
): Promise<Uint8Array<ArrayBuffer>> {
  // On demand: it would double the cold start of a function that rarely writes a file.
  const { write } = await import('xlsx');
  const Sheets = {
    [sheetName(sheet.name)]: worksheet(sheet),
    ...(second && { [sheetName(second.name)]: worksheet(second) }),
  };
  const workbook = { SheetNames: Object.keys(Sheets), Sheets, SSF: FORMATS };
  const options = { type: 'array', bookType: 'xlsx', bookSST: true, compression: true } as const;
  const written: unknown = write(workbook, options);
  if (!(written instanceof ArrayBuffer)) throw new TypeError('The spreadsheet library returned no bytes');
  return new Uint8Array(written);
}

function worksheet<Row>({ columns, rows }: Sheet<Row>): WorkSheet {
  const cells: WorkSheet = {};
  for (const [columnIndex, column] of columns.entries()) {
    const letters = columnName(columnIndex);
    cells[`${letters}1`] = { t: 's', v: column.header } satisfies CellObject;
    for (const [rowIndex, row] of rows.entries()) {
      const cell = cellOf(column, row, CELLS);
      if (cell !== null) cells[`${letters}${rowIndex + 2}`] = cell;
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
  text: (value) => (value === '' ? null : { t: 's', v: printable(value).slice(0, MAX_CELL_CHARACTERS) }),
  number: (value) => ({ t: 'n', v: value, z: Number.isInteger(value) ? WHOLE : DECIMAL }),
  euro: (cents) => ({ t: 'n', v: cents / 100, z: EURO }),
  dateTime: (instant) => ({
    t: 'n',
    v: berlinClock(instant).getTime() / DAY_MS + UNIX_EPOCH_DAYS,
    z: DATE_TIME,
  }),
};

/** `A` for 0, `Z` for 25, `AA` for 26. */
function columnName(index: number): string {
  const last = String.fromCodePoint(65 + (index % 26));
  return index < 26 ? last : columnName(Math.floor(index / 26) - 1) + last;
}

/** At most 31 characters and none of `[]:*?/\`, by Excel's rules. */
function sheetName(name: string): string {
  return printable(name)
    .replace(/[[\]:*?/\\]/g, ' ')
    .slice(0, 31);
}

interface Base {
  readonly header: string;
  /** In characters. */
  readonly width: number;
}

type Value<Row, Read> = (row: Row) => Read | null;

/** Reads a cell's value from a row; `null` leaves the cell empty. */
export type Column<Row> = Base &
  (
    | { readonly type: 'text'; readonly value: Value<Row, string> }
    | { readonly type: 'number'; readonly value: Value<Row, number> }
    /** Whole cents. */
    | { readonly type: 'euro'; readonly value: Value<Row, number> }
    /** An instant (ISO 8601, UTC), shown in Berlin time. */
    | { readonly type: 'date-time'; readonly value: Value<Row, string> }
  );

const columnOf =
  <Read, const Type extends string>(type: Type) =>
  <Row>(header: string, width: number, value: Value<Row, Read>) => ({ header, width, type, value });

export const textColumn = columnOf<string, 'text'>('text');
export const numberColumn = columnOf<number, 'number'>('number');
export const euroColumn = columnOf<number, 'euro'>('euro');
export const timeColumn = columnOf<string, 'date-time'>('date-time');

export interface Sheet<Row> {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: matching control characters is its purpose
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g;

/** Control characters make spreadsheet programs report a damaged file. */
export function printable(text: string): string {
  return text.replace(CONTROL, '').replace(/\p{Surrogate}/gu, '\ufffd');
}

export interface CellWriter<Cell> {
  readonly empty: Cell;
  readonly text: (value: string) => Cell;
  readonly number: (value: number) => Cell;
  readonly euro: (cents: number) => Cell;
  readonly dateTime: (instant: string) => Cell;
}

export function cellOf<Row, Cell>(column: Column<Row>, row: Row, write: CellWriter<Cell>): Cell {
  const filled = <Value>(value: Value | null, cell: (value: Value) => Cell) =>
    value === null ? write.empty : cell(value);
  if (column.type === 'text') return filled(column.value(row), write.text);
  if (column.type === 'number') return filled(column.value(row), write.number);
  if (column.type === 'euro') return filled(column.value(row), write.euro);
  return filled(column.value(row), write.dateTime);
}

import { type Column, column } from './DataTable';
import { NameText } from './NameText';

/** The column that names the row, at the left edge. */
export const nameColumn = <Row,>(title: string, width: number, nameOf: (row: Row) => string): Column<Row> =>
  column(title, width, (row) => <NameText text={nameOf(row)} fw={500} />, { grows: true });

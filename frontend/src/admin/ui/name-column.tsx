import { Text } from '@mantine/core';
import { type Column, column } from './DataTable';

/** The column that names the row, at the left edge. */
export const nameColumn = <Row,>(title: string, width: number, nameOf: (row: Row) => string): Column<Row> =>
  column(
    title,
    width,
    (row) => (
      <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
        {nameOf(row)}
      </Text>
    ),
    { grows: true },
  );

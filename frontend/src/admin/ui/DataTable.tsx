import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconSelector } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type ReactNode, useMemo, useRef } from 'react';
import classes from './DataTable.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** Pixels; the columns share what is left over. */
  readonly width: number;
  readonly align?: 'right';
  readonly sortable?: boolean;
  /** Stays in sight at the right edge of a wide screen. */
  readonly pinned?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

export interface Sort {
  readonly by: string;
  readonly dir: 'asc' | 'desc';
}

interface Props<Row> {
  /** Names the table for those who cannot see it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  readonly rowClass?: (row: Row) => string | undefined;
  readonly sort?: Sort;
  readonly onSort?: (sort: Sort) => void;
  readonly footer?: ReactNode;
  readonly maxHeight?: string;
}

const ROW_HEIGHT_PX = 53;

/**
 * A table of any length: only the rows in sight are in the document, and the header and the first column stay in
 * sight while it scrolls, within itself, in both directions.
 */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  rowClass,
  sort,
  onSort,
  footer,
  maxHeight = '70vh',
}: Props<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  // Its functions are called during this render only and never handed on.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT_PX,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : rowKey(row);
    },
    overscan: 10,
    initialRect: { width: 1000, height: 600 },
  });
  const inSight = virtual.getVirtualItems();
  const above = inSight[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (inSight.at(-1)?.end ?? 0);
  const minWidth = columns.reduce((sum, column) => sum + column.width, 0);

  return (
    <section
      ref={scroller}
      className={classes.scroller}
      style={{ maxHeight }}
      aria-label={label}
      // A region that scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      <table
        className={classes.table}
        style={{ minWidth }}
        aria-label={label}
        aria-rowcount={rows.length + 1}
      >
        <colgroup>
          {columns.map((column) => (
            <col key={column.key} style={{ width: column.width }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <HeaderCell key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={above} columns={columns.length} />
          {inSight.map(({ index, key }) => {
            const row = rows[index];
            return (
              row !== undefined && (
                <BodyRow
                  key={String(key)}
                  row={row}
                  columns={columns}
                  index={index}
                  className={rowClass?.(row)}
                  measure={virtual.measureElement}
                />
              )
            );
          })}
          <Spacer height={below} columns={columns.length} />
        </tbody>
        {footer !== undefined && <tfoot>{footer}</tfoot>}
      </table>
    </section>
  );
}

interface BodyRowProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly index: number;
  readonly className: string | undefined;
  readonly measure: (element: HTMLTableRowElement | null) => void;
}

function BodyRow<Row>({ row, columns, index, className, measure }: BodyRowProps<Row>) {
  // Every step of scrolling comes by here: the cells, which are dear, are made again only for another row.
  const cells = useMemo(
    () =>
      columns.map((column) => (
        <td
          key={column.key}
          style={alignment(column.align)}
          className={column.pinned ? classes.pinned : undefined}
        >
          {column.cell(row)}
        </td>
      )),
    [columns, row],
  );
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2} className={className}>
      {cells}
    </tr>
  );
}

interface HeaderProps<Row> {
  readonly column: Column<Row>;
  readonly sort: Sort | undefined;
  readonly onSort: ((sort: Sort) => void) | undefined;
}

function HeaderCell<Row>({ column, sort, onSort }: HeaderProps<Row>) {
  if (!column.sortable || !onSort)
    return (
      <th scope="col" style={alignment(column.align)} className={column.pinned ? classes.pinned : undefined}>
        {column.title}
      </th>
    );
  const dir = sort?.by === column.key ? sort.dir : undefined;
  const Icon = dir === 'asc' ? IconArrowUp : dir === 'desc' ? IconArrowDown : IconSelector;
  return (
    <th
      scope="col"
      style={alignment(column.align)}
      aria-sort={dir === 'asc' ? 'ascending' : dir === 'desc' ? 'descending' : 'none'}
    >
      <UnstyledButton
        className={classes.sort}
        onClick={() => onSort({ by: column.key, dir: dir === 'desc' ? 'asc' : 'desc' })}
      >
        {column.title}
        <Icon size={14} aria-hidden="true" />
      </UnstyledButton>
    </th>
  );
}

function Spacer({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true" style={{ height }}>
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- nothing but height */}
      <td colSpan={columns} style={{ padding: 0, border: 0 }} />
    </tr>
  );
}

function alignment(align: 'right' | undefined): CSSProperties {
  return align ? { textAlign: align } : {};
}

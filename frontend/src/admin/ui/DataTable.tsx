import { UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, Suspense, useEffect, useMemo, useRef } from 'react';
import { type RestrictedId } from '#shared/contract/roles';
import { lazyComponent } from '../../ui/lazy-component';
import { useMay } from '../data/rights';
import classes from './DataTable.module.css';
import { useFocusKept } from './focus-kept';
import type { SelectBoxProps } from './SelectBox';
import type { Sort } from './SortSelect';
import type { Selection } from './selection';
import type { RenderRow } from './VirtualRows';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** Pixels. Growing columns share the remaining width in proportion to it, or all columns if none grows. */
  readonly width: number;
  readonly grows?: boolean;
  readonly align?: 'right';
  /** The sort key of a cell; `server` if the rows arrive sorted. Without it the column cannot be sorted. */
  readonly sort?: 'server' | ((row: Row) => string | number);
  /** Stays visible at the right edge of a wide screen. */
  readonly pinned?: boolean;
  /** The call without which it is not shown. */
  readonly needs?: RestrictedId | undefined;
  readonly cell: (row: Row) => ReactNode;
}

/** A column whose key is its title, unless `more` sets another. */
export const column = <Row,>(
  title: string,
  width: number,
  cell: (row: Row) => ReactNode,
  more: Partial<Column<Row>> = {},
): Column<Row> => ({ key: title, title, width, cell, ...more });

/** A right-aligned column of figures. A missing figure is a dash and sorts last. */
export const figureColumn = <Key extends string>(
  key: Key,
  title: string,
  width: number,
  text: (figure: number) => string,
): Column<Readonly<Record<Key, number | null>>> => ({
  key,
  title,
  width,
  align: 'right',
  sort: (row) => row[key] ?? -1,
  cell: (row) => (row[key] === null ? '–' : text(row[key])),
});

/** The buttons of a row, at the right edge. */
/** @param needs the call without which all its cells are empty, so it is not shown */
export const actionsColumn = <Row,>(
  width: number,
  cell: (row: Row) => ReactNode,
  needs?: RestrictedId,
): Column<Row> => column('Actions', width, cell, { pinned: true, needs });

interface Props<Row> {
  /** The table's name for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Keys of hidden columns, by which rows may still be sorted. */
  readonly hidden?: readonly string[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  readonly rowClass?: (row: Row) => string | undefined;
  readonly sort?: Sort;
  readonly onSort?: (sort: Sort) => void;
  readonly footer?: ReactNode;
  readonly maxHeight?: string;
  /** Less padding and smaller text, for tables of many columns. */
  readonly dense?: boolean;
  /** On a phone every row is a card with all its cells. */
  readonly cards?: boolean;
  /** Rows can be selected: each has a checkbox before its first cell. */
  readonly selection?: RowSelection<Row>;
  /** Called when the last row of a long table comes into view. */
  readonly onEnd?: () => void;
  /** The key of the row whose details are open. It is highlighted and scrolled into view. */
  readonly current?: string | number | undefined;
}

interface RowSelection<Row> extends Selection {
  /** The row's name for screen readers. */
  readonly nameOf: (row: Row) => string;
  /** Passed in, because most tables do not need it. */
  readonly Box: ComponentType<SelectBoxProps>;
}

const SortSelect = lazyComponent(async () => (await import('./SortSelect')).SortSelect);

/** Longer tables render only visible rows, by a library loaded on demand. */
const MAX_PLAIN_ROWS = 60;
const VirtualRows = lazyComponent(async () => (await import('./VirtualRows')).VirtualRows);

/** A table of any length. The header and the first column stay visible while it scrolls in both directions. */
export function DataTable<Row>({
  label,
  columns,
  hidden,
  rows,
  rowKey,
  rowClass,
  sort,
  onSort,
  footer,
  maxHeight = '70vh',
  dense = false,
  cards: cardsOnPhone = false,
  selection,
  onEnd,
  current,
}: Props<Row>) {
  const sorted = useMemo(() => sortedBy(sort, columns, rows), [sort, columns, rows]);
  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const cards = cardsOnPhone && phone;

  const may = useMay();
  const shown = useMemo(
    () => columns.filter(({ key, needs }) => !hidden?.includes(key) && (needs === undefined || may(needs))),
    [columns, hidden, may],
  );
  const scroller = useRef<HTMLDivElement>(null);
  const minWidth = widthOf(shown);
  const growing = shown.filter(({ grows }) => grows);
  const colWidth = (column: Column<Row>) => {
    if (!column.grows) return column.width;
    // The last one takes the rest, so that no rounding makes the table wider than its place.
    if (column === growing.at(-1)) return undefined;
    return `calc(${column.width}px + max(0px, 100cqi - ${minWidth}px) * ${column.width / widthOf(growing)})`;
  };

  const keepFocus = useFocusKept(scroller);
  const currentIndex = current === undefined ? -1 : sorted.findIndex((row) => rowKey(row) === current);
  const isLong = sorted.length > MAX_PLAIN_ROWS;
  useEffect(() => {
    const row = scroller.current?.querySelector('tr[aria-current]');
    if (currentIndex >= 0 && !isLong) row?.scrollIntoView({ block: 'nearest' });
  }, [currentIndex, isLong]);

  const renderRow: RenderRow = (index, measure) => {
    const row = sorted[index];
    if (row === undefined) return null;
    const key = String(rowKey(row));
    return (
      <BodyRow
        key={key}
        row={row}
        columns={shown}
        index={index}
        className={rowClass?.(row)}
        measure={measure}
        isCurrent={index === currentIndex}
        cards={cards}
        selectBox={
          selection && (
            <selection.Box
              name={selection.nameOf(row)}
              selected={selection.has(key)}
              select={(on, range) => selection.toggle(key, on, range)}
            />
          )
        }
      />
    );
  };
  const firstRows = sorted.slice(0, MAX_PLAIN_ROWS).map((_, index) => renderRow(index));

  const tableClass = [classes.table, dense && classes.dense, cards && classes.cards]
    .filter(Boolean)
    .join(' ');

  return (
    <>
      {cards && sort && onSort && (
        <div className={classes.sortSelect}>
          <Suspense fallback={null}>
            <SortSelect columns={columns} sort={sort} onSort={onSort} />
          </Suspense>
        </div>
      )}
      <section
        ref={scroller}
        className={classes.scroller}
        style={{ maxHeight }}
        aria-label={label}
        // A region that scrolls must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        {...keepFocus}
      >
        <table
          className={tableClass}
          style={cards ? {} : { minWidth }}
          aria-label={label}
          {...roleOf('table', cards)}
          aria-rowcount={rows.length + 1}
        >
          <colgroup>
            {shown.map((column) => (
              <col key={column.key} style={{ width: colWidth(column) }} />
            ))}
          </colgroup>
          <thead {...roleOf('rowgroup', cards)}>
            <tr aria-rowindex={1} {...roleOf('row', cards)}>
              {shown.map((column) => (
                <HeaderCell
                  key={column.key}
                  column={column}
                  cards={cards}
                  sort={cards ? undefined : sort}
                  onSort={onSort}
                />
              ))}
            </tr>
          </thead>
          <tbody {...roleOf('rowgroup', cards)}>
            {isLong ? (
              <Suspense fallback={firstRows}>
                <VirtualRows
                  keys={sorted.map((row) => String(rowKey(row)))}
                  scroller={scroller}
                  cards={cards}
                  columns={shown.length}
                  current={currentIndex}
                  onEnd={onEnd}
                  renderRow={renderRow}
                />
              </Suspense>
            ) : (
              firstRows
            )}
          </tbody>
          {footer !== undefined && <tfoot>{footer}</tfoot>}
        </table>
      </section>
    </>
  );
}

/** Browsers drop the table role from elements that are not laid out as a table. */
function roleOf(role: string, cards: boolean): { readonly role?: string } {
  return cards ? { role } : {};
}

interface BodyRowProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly index: number;
  readonly className: string | undefined;
  readonly measure: ((element: HTMLTableRowElement | null) => void) | undefined;
  readonly isCurrent: boolean;
  readonly cards: boolean;
  /** Where rows can be selected. */
  readonly selectBox: ReactNode;
}

function BodyRow<Row>(props: BodyRowProps<Row>) {
  const { row, columns, index, className, measure, isCurrent, cards, selectBox } = props;
  // Cells are expensive to render, so scrolling renders them only for another row.
  const cells = useMemo(
    () =>
      columns.map((column) => {
        const content = column.cell(row);
        const isText = typeof content === 'string';
        return (
          <td
            key={column.key}
            className={cellClass(column, isText)}
            data-title={column.title}
            title={isText && !column.align ? content : undefined}
            {...roleOf('cell', cards)}
          >
            {content}
          </td>
        );
      }),
    [columns, row, cards],
  );
  const [first] = columns;
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      aria-current={isCurrent || undefined}
      className={className}
      {...roleOf('row', cards)}
    >
      {selectBox === undefined || first === undefined ? (
        cells
      ) : (
        <>
          <td {...roleOf('cell', cards)}>
            <div className={classes.selectable}>
              {selectBox}
              <div className={classes.selectableCell}>{first.cell(row)}</div>
            </div>
          </td>
          {cells.slice(1)}
        </>
      )}
    </tr>
  );
}

const widthOf = (columns: readonly { readonly width: number }[]) =>
  columns.reduce((sum, { width }) => sum + width, 0);

const cellClass = ({ align, pinned }: Pick<Column<never>, 'align' | 'pinned'>, isText: boolean) =>
  [align && classes.figure, pinned && classes.pinned, isText && classes.line].filter(Boolean).join(' ');

interface HeaderProps<Row> {
  readonly column: Column<Row>;
  readonly cards: boolean;
  /** Undefined if the table cannot be sorted by this column. */
  readonly sort: Sort | undefined;
  readonly onSort: ((sort: Sort) => void) | undefined;
}

function HeaderCell<Row>({ column, cards, sort, onSort }: HeaderProps<Row>) {
  if (column.sort === undefined || sort === undefined || cards)
    return (
      <th scope="col" className={cellClass(column, false)} {...roleOf('columnheader', cards)}>
        {column.title}
      </th>
    );
  const dir = sort.by === column.key ? sort.dir : undefined;
  const Icon = dir === 'asc' ? IconArrowUp : IconArrowDown;
  const toggle = () => onSort?.({ by: column.key, dir: dir === 'desc' ? 'asc' : 'desc' });
  return (
    <th
      scope="col"
      className={cellClass(column, false)}
      aria-sort={dir === 'asc' ? 'ascending' : dir === 'desc' ? 'descending' : 'none'}
    >
      <UnstyledButton className={classes.sort} onClick={toggle}>
        {column.title}
        {dir !== undefined && <Icon size={14} aria-hidden="true" />}
      </UnstyledButton>
    </th>
  );
}

/** Sorts the rows by the column, unless the server has sorted them. */
function sortedBy<Row>(
  sort: Sort | undefined,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): readonly Row[] {
  const by = columns.find(({ key }) => key === sort?.by)?.sort;
  if (typeof by !== 'function') return rows;
  const sign = sort?.dir === 'desc' ? -1 : 1;
  return rows
    .map((row) => ({ row, value: by(row) }))
    .sort((a, b) => sign * compare(a.value, b.value))
    .map(({ row }) => row);
}

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'de');
}

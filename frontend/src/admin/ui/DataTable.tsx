import { UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp, IconSelector } from '@tabler/icons-react';
import {
  type ColumnDef,
  createSortedRowModel,
  functionalUpdate,
  type RowData,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type ComponentType,
  type CSSProperties,
  type ReactNode,
  Suspense,
  useEffect,
  useMemo,
  useRef,
} from 'react';
import { lazyComponent } from '../../ui/lazy-component';
import classes from './DataTable.module.css';
import { useFocusKept } from './focus-kept';
import type { SelectBoxProps } from './SelectBox';
import type { Selection } from './selection';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** Pixels; the columns that grow share what is left over, or all of them where none does. */
  readonly width: number;
  readonly grows?: boolean;
  readonly align?: 'right';
  /** What its cells are sorted by; `server` where the rows arrive sorted. Without it the column cannot be sorted by. */
  readonly sort?: 'server' | ((row: Row) => string | number);
  /** Stays in sight at the right edge of a wide screen. */
  readonly pinned?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

/** A column of figures at the right edge. A row without the figure shows a dash and is sorted below all others. */
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

export interface Sort {
  readonly by: string;
  readonly dir: 'asc' | 'desc';
}

interface Props<Row> {
  /** Names the table for those who cannot see it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** The keys of columns that are not shown; the rows may still be sorted by them. */
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
  /** On a phone every row is a card with all its cells, and nothing is out of sight at the side. */
  readonly cards?: boolean;
  /** Rows can be selected: each has a checkbox before its first cell. */
  readonly selection?: RowSelection<Row>;
  /** The key of the row that is shown in detail beside the table; it is marked and brought into sight. */
  readonly current?: string | number | undefined;
}

interface RowSelection<Row> extends Selection {
  /** What the row is called, for those who cannot see it. */
  readonly nameOf: (row: Row) => string;
  /** Handed in, because most tables do without it. */
  readonly Box: ComponentType<SelectBoxProps>;
}

const SortSelect = lazyComponent(async () => (await import('./SortSelect')).SortSelect);

const ROW_HEIGHT_PX = 53;
const CARD_HEIGHT_PX = 280;
const SCROLL_OVERSCAN_ROWS = 10;

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });

/**
 * A table of any length: only the rows in sight are in the document, and the header and the first column stay in
 * sight while it scrolls, within itself, in both directions.
 */
export function DataTable<Row extends RowData>({
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
  current,
}: Props<Row>) {
  const { by, dir } = sort ?? {};
  const sorting = useMemo<SortingState>(
    () => (by === undefined ? [] : [{ id: by, desc: dir === 'desc' }]),
    [by, dir],
  );
  const table = useTable({
    features,
    columns: useMemo(() => columns.map(definitionOf), [columns]),
    data: rows,
    getRowId: (row) => String(rowKey(row)),
    state: { sorting },
    onSortingChange: (update) => {
      const [first] = functionalUpdate(update, sorting);
      if (first) onSort?.({ by: first.id, dir: first.desc ? 'desc' : 'asc' });
    },
    manualSorting: columns.some((column) => column.sort === 'server'),
    sortDescFirst: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
  });
  const sorted = table.getRowModel().rows;
  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const cards = cardsOnPhone && phone;

  const shown = useMemo(() => columns.filter(({ key }) => !hidden?.includes(key)), [columns, hidden]);
  const scroller = useRef<HTMLDivElement>(null);
  // Its functions are called during this render only and never handed on.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (cards ? CARD_HEIGHT_PX : ROW_HEIGHT_PX),
    getItemKey: (index) => sorted[index]?.id ?? index,
    overscan: SCROLL_OVERSCAN_ROWS,
    initialRect: { width: 1000, height: 600 },
  });
  const inSight = virtual.getVirtualItems();
  const above = inSight[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (inSight.at(-1)?.end ?? 0);
  const minWidth = shown.reduce((sum, column) => sum + column.width, 0);

  const keepFocus = useFocusKept(scroller);
  const currentIndex = current === undefined ? -1 : sorted.findIndex((row) => row.id === String(current));
  useEffect(() => {
    if (currentIndex >= 0) virtual.scrollToIndex(currentIndex);
  }, [virtual, currentIndex]);

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
              <col key={column.key} style={column.grows ? {} : { width: column.width }} />
            ))}
          </colgroup>
          <thead {...roleOf('rowgroup', cards)}>
            <tr aria-rowindex={1} {...roleOf('row', cards)}>
              {shown.map((column) => (
                <HeaderCell
                  key={column.key}
                  column={column}
                  cards={cards}
                  sorting={cards ? undefined : table.getColumn(column.key)}
                />
              ))}
            </tr>
          </thead>
          <tbody {...roleOf('rowgroup', cards)}>
            <Spacer height={above} columns={shown.length} />
            {inSight.map(({ index, key }) => {
              const row = sorted[index]?.original;
              return (
                row !== undefined && (
                  <BodyRow
                    key={String(key)}
                    row={row}
                    columns={shown}
                    index={index}
                    className={rowClass?.(row)}
                    measure={virtual.measureElement}
                    isCurrent={index === currentIndex}
                    cards={cards}
                    selectBox={
                      selection && (
                        <selection.Box
                          name={selection.nameOf(row)}
                          selected={selection.has(String(key))}
                          select={(on, range) => selection.toggle(String(key), on, range)}
                        />
                      )
                    }
                  />
                )
              );
            })}
            <Spacer height={below} columns={shown.length} />
          </tbody>
          {footer !== undefined && <tfoot>{footer}</tfoot>}
        </table>
      </section>
    </>
  );
}

/** Browsers take an element that is no longer laid out as a table for none. */
function roleOf(role: string, cards: boolean): { readonly role?: string } {
  return cards ? { role } : {};
}

interface BodyRowProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly index: number;
  readonly className: string | undefined;
  readonly measure: (element: HTMLTableRowElement | null) => void;
  readonly isCurrent: boolean;
  readonly cards: boolean;
  /** Where rows can be selected. */
  readonly selectBox: ReactNode;
}

function BodyRow<Row>(props: BodyRowProps<Row>) {
  const { row, columns, index, className, measure, isCurrent, cards, selectBox } = props;
  // Every step of scrolling comes by here: the cells, which are dear, are made again only for another row.
  const cells = useMemo(
    () =>
      columns.map((column) => (
        <td
          key={column.key}
          style={alignment(column.align)}
          className={column.pinned ? classes.pinned : undefined}
          data-title={column.title}
          {...roleOf('cell', cards)}
        >
          {column.cell(row)}
        </td>
      )),
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
          <td style={alignment(first.align)} {...roleOf('cell', cards)}>
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

interface HeaderProps<Row> {
  readonly column: Column<Row>;
  readonly cards: boolean;
  readonly sorting:
    | {
        readonly getCanSort: () => boolean;
        readonly getIsSorted: () => 'asc' | 'desc' | false;
        readonly toggleSorting: () => void;
      }
    | undefined;
}

function HeaderCell<Row>({ column, cards, sorting }: HeaderProps<Row>) {
  if (!sorting?.getCanSort())
    return (
      <th
        scope="col"
        style={alignment(column.align)}
        className={column.pinned ? classes.pinned : undefined}
        {...roleOf('columnheader', cards)}
      >
        {column.title}
      </th>
    );
  const dir = sorting.getIsSorted();
  const Icon = dir === 'asc' ? IconArrowUp : dir === 'desc' ? IconArrowDown : IconSelector;
  return (
    <th
      scope="col"
      style={alignment(column.align)}
      aria-sort={dir === 'asc' ? 'ascending' : dir === 'desc' ? 'descending' : 'none'}
    >
      <UnstyledButton className={classes.sort} onClick={() => sorting.toggleSorting()}>
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

function definitionOf<Row extends RowData>({ key, sort }: Column<Row>): ColumnDef<typeof features, Row> {
  return {
    id: key,
    accessorFn: typeof sort === 'function' ? sort : () => 0,
    enableSorting: sort !== undefined,
    sortFn: (a, b, id) => compare(a.getValue(id), b.getValue(id)),
  };
}

function compare(a: unknown, b: unknown): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'de');
}

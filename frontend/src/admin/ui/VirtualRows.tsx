import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useEffect, useEffectEvent } from 'react';

/** @param measure the ref of the row's element, if its height must be measured */
export type RenderRow = (index: number, measure?: (element: HTMLTableRowElement | null) => void) => ReactNode;

interface Props {
  /** Keys of the rows, in order. */
  readonly keys: readonly string[];
  /** The scrolling element. */
  readonly scroller: RefObject<HTMLElement | null>;
  readonly cards: boolean;
  readonly columns: number;
  /** The index of the row to scroll to; -1 for none. */
  readonly current: number;
  readonly onEnd: (() => void) | undefined;
  readonly renderRow: RenderRow;
}

const ROW_HEIGHT_PX = 45;
const CARD_HEIGHT_PX = 280;
const SCROLL_OVERSCAN_ROWS = 10;

/** Renders the visible and adjacent rows of a long table. */
export function VirtualRows({ keys, scroller, cards, columns, current, onEnd, renderRow }: Props) {
  // Its functions are called only during this render and never passed on.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: keys.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (cards ? CARD_HEIGHT_PX : ROW_HEIGHT_PX),
    getItemKey: (index) => keys[index] ?? index,
    overscan: SCROLL_OVERSCAN_ROWS,
    initialRect: { width: 1000, height: 600 },
  });
  const inSight = virtual.getVirtualItems();
  useEffect(() => {
    if (current >= 0) virtual.scrollToIndex(current);
  }, [virtual, current]);
  const isAtEnd = inSight.at(-1)?.index === keys.length - 1;
  const ended = useEffectEvent(() => onEnd?.());
  useEffect(() => {
    if (isAtEnd) ended();
  }, [isAtEnd, keys.length]);
  return (
    <>
      <Spacer height={inSight[0]?.start ?? 0} columns={columns} />
      {inSight.map(({ index }) => renderRow(index, virtual.measureElement))}
      <Spacer height={virtual.getTotalSize() - (inSight.at(-1)?.end ?? 0)} columns={columns} />
    </>
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

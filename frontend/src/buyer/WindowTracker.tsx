import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { WindowRange, WindowRangeProps } from './use-window-rows';

/** So that fast scrolling shows no gap. */
const OVERSCAN_PX = 800;

/** Reports the rows in sight at every change. */
export const WindowTracker = memo(function WindowTracker(props: WindowRangeProps) {
  const { leads, rowHeightPx, keepsPlace, listRef, onRange } = props;
  const [listTop, setListTop] = useState(() => topOf(listRef.current));
  const getItemKey = useCallback((index: number) => leads[index]?.lead_id ?? index, [leads]);
  // Its functions are called only during this render and never passed on, except the ref of the rows.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count: leads.length,
    getItemKey,
    estimateSize: () => rowHeightPx,
    // By default rounded to whole pixels: a list of thousands would drift.
    measureElement: (row) => row.getBoundingClientRect().height,
    overscan: Math.ceil(OVERSCAN_PX / rowHeightPx),
    scrollMargin: listTop,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    initialOffset: () => window.scrollY,
    // At the head of the list new leads push the others down.
    anchorTo: keepsPlace && window.scrollY > listTop ? 'end' : 'start',
  });

  useLayoutEffect(() => {
    const update = () => setListTop(topOf(listRef.current));
    // Anything that grows above the list.
    const observer = new ResizeObserver(update);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [listRef]);

  const items = virtualizer.getVirtualItems();
  const range: WindowRange = {
    first: items[0]?.index ?? 0,
    end: (items.at(-1)?.index ?? -1) + 1,
    above: (items[0]?.start ?? listTop) - listTop,
    below: virtualizer.getTotalSize() - ((items.at(-1)?.end ?? listTop) - listTop),
    measure: virtualizer.measureElement,
  };
  const reported = useRef<WindowRange>(undefined);
  useLayoutEffect(() => {
    if (reported.current !== undefined && isSame(reported.current, range)) return;
    reported.current = range;
    onRange(range);
  });
  return null;
});

function topOf(list: HTMLElement | null): number {
  return list === null ? 0 : Math.round(list.getBoundingClientRect().top + window.scrollY);
}

function isSame(one: WindowRange, other: WindowRange): boolean {
  return (
    one.first === other.first &&
    one.end === other.end &&
    one.above === other.above &&
    one.below === other.below &&
    one.measure === other.measure
  );
}

import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';

/** So that fast scrolling shows no gap. */
const OVERSCAN_PX = 800;

/** Measures a row by its `data-index`. */
export type MeasureRow = (row: HTMLElement | null) => void;

/**
 * Virtualises the rows and holds the visible ones in place when leads arrive above. @param rowHeightPx usual height @param
 * keepsPlace false while leads are added at the end
 */
export function useWindowRows<List extends HTMLElement>(
  leads: readonly ViewedLead[],
  rowHeightPx: number,
  keepsPlace: boolean,
) {
  const listRef = useRef<List>(null);
  const [listTop, setListTop] = useState(0);
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
    // At the head of the list new leads push the others down.
    anchorTo: keepsPlace && window.scrollY > listTop ? 'end' : 'start',
  });

  useLayoutEffect(() => {
    const update = () => {
      if (listRef.current)
        setListTop(Math.round(listRef.current.getBoundingClientRect().top + window.scrollY));
    };
    update();
    // Anything that grows above the list.
    const observer = new ResizeObserver(update);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);

  const items = virtualizer.getVirtualItems();
  const above = (items[0]?.start ?? listTop) - listTop;
  const end = (items.at(-1)?.end ?? listTop) - listTop;
  return {
    rows: items.flatMap(({ index }) => {
      const lead = leads[index];
      return lead === undefined ? [] : { lead, index };
    }),
    listRef,
    measure: virtualizer.measureElement,
    above,
    below: virtualizer.getTotalSize() - end,
  };
}

import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';

/** Rendered above and below the window, so that a fast scroll shows no gap. */
const OVERSCAN_PX = 800;

/** The ref of a row: measures it. The row carries its index as `data-index`. */
export type MeasureRow = (row: HTMLElement | null) => void;

/**
 * The rows of a long list that are in the window or near it, as the window scrolls. What the reader looks at stays where
 * it is when leads arrive above it, or when rows above turn out taller than estimated.
 * @param rowHeightPx the usual height of a row
 * @param keepsPlace false while leads are added at the end, where nothing needs to be held
 * @returns the rows, a ref for the list and one for each row, and the height of the rows left out above and below
 */
export function useWindowRows<List extends HTMLElement>(
  leads: readonly ViewedLead[],
  rowHeightPx: number,
  keepsPlace: boolean,
) {
  const listRef = useRef<List>(null);
  const [listTop, setListTop] = useState(0);
  const getItemKey = useCallback((index: number) => leads[index]?.lead_id ?? index, [leads]);
  // Its functions are called during this render only and never handed on, apart from the ref of the rows.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count: leads.length,
    getItemKey,
    estimateSize: () => rowHeightPx,
    // Not rounded to whole pixels, as by default: a list of thousands would drift.
    measureElement: (row) => row.getBoundingClientRect().height,
    overscan: Math.ceil(OVERSCAN_PX / rowHeightPx),
    scrollMargin: listTop,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    // With the head of the list in view there is nothing to hold: new leads push the others down.
    anchorTo: keepsPlace && window.scrollY > listTop ? 'end' : 'start',
  });

  useLayoutEffect(() => {
    const update = () => {
      if (listRef.current)
        setListTop(Math.round(listRef.current.getBoundingClientRect().top + window.scrollY));
    };
    update();
    // Whatever grows above the list makes the page grow.
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

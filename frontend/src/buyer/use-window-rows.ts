import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';

/**
 * The rows of a long list that are in view or near it, as the window scrolls.
 * @param estimate the usual height of a row in pixels; each row in view is then measured
 * @returns the rows, a ref for the list and for each row, and the height that the rows left out take above and below
 */
export function useWindowRows<List extends HTMLElement>(leads: readonly ViewedLead[], estimate: number) {
  const listRef = useRef<List>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measureTop = () => {
      if (listRef.current) setTop(Math.round(listRef.current.getBoundingClientRect().top + window.scrollY));
    };
    measureTop();
    // Whatever grows above the list makes the page grow.
    const observer = new ResizeObserver(measureTop);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  useSteadyView(leads, top, estimate);

  // oxlint-disable-next-line react/incompatible-library -- nothing of it goes to a memoized component but its stable ref
  const virtualizer = useWindowVirtualizer({
    count: leads.length,
    estimateSize: () => estimate,
    overscan: 6,
    scrollMargin: top,
    getItemKey: (index) => leads[index]?.lead_id ?? index,
  });
  const rows = virtualizer.getVirtualItems().flatMap((item) => {
    const lead = leads[item.index];
    return lead === undefined ? [] : [{ lead, index: item.index, start: item.start, end: item.end }];
  });
  const first = rows[0];
  const last = rows.at(-1);
  return {
    rows,
    listRef,
    measure: virtualizer.measureElement,
    above: first ? first.start - top : 0,
    below: last ? virtualizer.getTotalSize() - (last.end - top) : 0,
  };
}

/** New leads come in at the top; what the reader looks at, or is about to tap, stays where it is. */
function useSteadyView(leads: readonly ViewedLead[], top: number, estimate: number) {
  const firstId = leads[0]?.lead_id;
  const before = useRef(firstId);
  useLayoutEffect(() => {
    const added = leads.findIndex((lead) => lead.lead_id === before.current);
    before.current = firstId;
    if (added > 0 && window.scrollY > top) window.scrollBy(0, added * estimate);
  }, [leads, firstId, top, estimate]);
}

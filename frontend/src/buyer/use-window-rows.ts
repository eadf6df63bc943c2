import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';

/** Drawn above and below the window, so that a quick thumb finds no gap. */
const MARGIN_PX = 800;
const ROWS_AT_FIRST = 12;

/**
 * The rows of a long list that are in the window or near it, as the window scrolls. A row carries `data-lead`, the id of
 * its lead, by which it is measured. What the reader looks at, or is about to tap, stays where it is when rows above it
 * arrive or turn out taller than thought.
 *
 * Written here because the library for it would be a tenth of the page's script.
 * @param estimate the usual height of a row in pixels
 * @returns the rows, a ref for the element that holds them, and the height of the rows left out above and below
 */
export function useWindowRows<List extends HTMLElement>(leads: readonly ViewedLead[], estimate: number) {
  const listRef = useRef<List>(null);
  const anchor = useRef<{ readonly leadId: string; readonly offset: number }>(undefined);
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(() => new Map());
  const [range, setRange] = useState({ from: 0, to: ROWS_AT_FIRST });
  const starts = useMemo(() => startsOf(leads, heights, estimate), [leads, heights, estimate]);

  const look = useCallback(() => {
    if (!listRef.current) return;
    const top = scrolledPast(listRef.current);
    const from = rowAt(starts, top - MARGIN_PX);
    const to = rowAt(starts, top + window.innerHeight + MARGIN_PX) + 1;
    setRange((before) => (before.from === from && before.to === to ? before : { from, to }));
    const index = rowAt(starts, top);
    const lead = leads[index];
    // With the head of the list in view there is nothing to hold: new leads may push the others down.
    anchor.current =
      top > 0 && lead ? { leadId: lead.lead_id, offset: top - (starts[index] ?? 0) } : undefined;
  }, [leads, starts]);

  const measure = useCallback(() => {
    if (listRef.current) setHeights((known) => withMeasured(known, listRef.current));
  }, []);

  useLayoutEffect(measure, [measure, leads, range]);

  useLayoutEffect(() => {
    const held = anchor.current;
    const index = held ? leads.findIndex((lead) => lead.lead_id === held.leadId) : -1;
    if (held && index >= 0 && listRef.current) {
      const moved = (starts[index] ?? 0) + held.offset - scrolledPast(listRef.current);
      if (Math.abs(moved) >= 1) window.scrollBy(0, moved);
    }
    look();
  }, [leads, starts, look]);

  useEffect(() => {
    const onResize = () => {
      measure();
      look();
    };
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', onResize);
    // Whatever grows above the list makes the page grow.
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    return () => {
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', onResize);
      observer.disconnect();
    };
  }, [look, measure]);

  const total = starts.at(-1) ?? 0;
  return {
    rows: leads.slice(range.from, range.to).map((lead, at) => ({ lead, index: range.from + at })),
    listRef,
    above: starts[range.from] ?? 0,
    below: total - (starts[range.to] ?? total),
  };
}

/** How far the top of the list is above the top of the window, in pixels. */
function scrolledPast(list: HTMLElement): number {
  return -list.getBoundingClientRect().top;
}

/** Where each row begins, and at the end the height of all. */
function startsOf(
  leads: readonly ViewedLead[],
  heights: ReadonlyMap<string, number>,
  estimate: number,
): number[] {
  const starts = [0];
  let sum = 0;
  for (const lead of leads) {
    sum += heights.get(lead.lead_id) ?? estimate;
    starts.push(sum);
  }
  return starts;
}

/** The row at a height: the last one that begins at or above it. */
function rowAt(starts: readonly number[], y: number): number {
  let low = 0;
  let high = Math.max(0, starts.length - 2);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The same map as long as no row has another height than known. */
function withMeasured(
  known: ReadonlyMap<string, number>,
  list: HTMLElement | null,
): ReadonlyMap<string, number> {
  const changed = new Map<string, number>();
  for (const row of list?.querySelectorAll<HTMLElement>('[data-lead]') ?? []) {
    const { height } = row.getBoundingClientRect();
    const id = row.dataset.lead ?? '';
    if (Math.abs((known.get(id) ?? Number.NaN) - height) < 0.5) continue;
    changed.set(id, height);
  }
  return changed.size === 0 ? known : new Map([...known, ...changed]);
}

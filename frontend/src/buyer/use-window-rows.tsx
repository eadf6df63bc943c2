import { type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { lazyComponent } from '../ui/lazy-component';

/** Measures a row by its `data-index`. */
export type MeasureRow = (row: HTMLElement | null) => void;

/** The rows to draw, and the height of the others. */
export interface WindowRange {
  readonly first: number;
  readonly end: number;
  readonly above: number;
  readonly below: number;
  readonly measure: MeasureRow | undefined;
}

export interface WindowRangeProps {
  readonly leads: readonly ViewedLead[];
  readonly rowHeightPx: number;
  /** False while leads are added at the end. */
  readonly keepsPlace: boolean;
  readonly listRef: RefObject<HTMLElement | null>;
  readonly onRange: (range: WindowRange) => void;
}

interface WindowRows<List> {
  readonly rows: readonly { readonly lead: ViewedLead; readonly index: number }[];
  readonly listRef: RefObject<List | null>;
  readonly measure: MeasureRow | undefined;
  readonly above: number;
  readonly below: number;
  /** Draws nothing, and must be rendered outside of the list. */
  readonly tracker: ReactNode;
}

/** More than any window shows. */
const FIRST_ROWS = 30;
const WindowTracker = lazyComponent(async () => (await import('./WindowTracker')).WindowTracker);

/**
 * Draws the rows in sight, and holds them in place when leads arrive above. The library for it is loaded only for a long list
 * or at the first scrolling; if that fails, all rows are drawn.
 */
export function useWindowRows<List extends HTMLElement>(
  leads: readonly ViewedLead[],
  rowHeightPx: number,
  keepsPlace: boolean,
): WindowRows<List> {
  const listRef = useRef<List>(null);
  const [tracked, setTracked] = useState<WindowRange>();
  const [isWhole, setWhole] = useState(false);
  const scrolled = useScrolled();
  const end = isWhole ? leads.length : Math.min(leads.length, FIRST_ROWS);
  const untracked = {
    first: 0,
    end,
    above: 0,
    below: (leads.length - end) * rowHeightPx,
    measure: undefined,
  };
  const { first, ...range } = tracked ?? untracked;
  return {
    ...range,
    rows: leads.slice(first, range.end).map((lead, at) => ({ lead, index: first + at })),
    listRef,
    tracker: (scrolled || tracked !== undefined || leads.length > FIRST_ROWS) && (
      <ErrorBoundary onFailed={() => setWhole(true)}>
        <Suspense>
          <WindowTracker {...{ leads, rowHeightPx, keepsPlace, listRef }} onRange={setTracked} />
        </Suspense>
      </ErrorBoundary>
    ),
  };
}

function useScrolled(): boolean {
  const [scrolled, setScrolled] = useState(false);
  useEffect(() => {
    const onScroll = () => setScrolled(true);
    window.addEventListener('scroll', onScroll, { once: true, passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, []);
  return scrolled;
}

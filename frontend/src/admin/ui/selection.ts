import { useCallback, useMemo, useRef, useState } from 'react';

export interface Selection {
  readonly has: (key: string) => boolean;
  /** @param range with all rows between this one and the one that was clicked before, as lists do with Shift */
  readonly toggle: (key: string, on: boolean, range: boolean) => void;
}

interface SelectionOf<Row> extends Selection {
  /** The selected rows in the order of the list. */
  readonly rows: readonly Row[];
  readonly all: () => void;
  readonly clear: () => void;
}

/**
 * The selected rows of a list.
 * @param listed the rows that are listed now: one that is filtered out or gone is not selected, so that nothing happens to
 * a hidden row
 */
export function useSelection<Row>(listed: readonly Row[], keyOf: (row: Row) => string): SelectionOf<Row> {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const clicked = useRef<string>(undefined);

  const rows = useMemo(() => listed.filter((row) => keys.has(keyOf(row))), [listed, keys, keyOf]);

  const toggle = useCallback(
    (key: string, on: boolean, range: boolean) => {
      const from = range ? listed.findIndex((row) => keyOf(row) === clicked.current) : -1;
      const to = listed.findIndex((row) => keyOf(row) === key);
      const touched = from < 0 ? [key] : listed.slice(Math.min(from, to), Math.max(from, to) + 1).map(keyOf);
      clicked.current = key;
      setKeys((before) => {
        const after = new Set(before);
        for (const one of touched)
          if (on) after.add(one);
          else after.delete(one);
        return after;
      });
    },
    [listed, keyOf],
  );

  return {
    rows,
    has: (key) => keys.has(key),
    toggle,
    all: () => setKeys(new Set(listed.map(keyOf))),
    clear: () => setKeys(new Set()),
  };
}

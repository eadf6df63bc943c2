/** The columns that were chosen for a set of heads, in this browser. */
import { COLUMN_FIELDS, type Columns, matchHeads } from './match-heads';

const STORED = 'import-columns';
const MAX_STORED = 20;

const keyOf = (heads: readonly string[]) => JSON.stringify(heads);

/** As they were chosen for these heads before, else as the heads say. */
export function columnsFor(heads: readonly string[]): Columns {
  const chosen = read().find(([key]) => key === keyOf(heads))?.[1];
  if (typeof chosen !== 'object' || chosen === null) return matchHeads(heads);
  const stored = new Map<string, unknown>(Object.entries(chosen));
  return Object.fromEntries(
    COLUMN_FIELDS.flatMap((name) => {
      const at = stored.get(name);
      return typeof at === 'number' && at >= 0 && at < heads.length ? [[name, at]] : [];
    }),
  );
}

export function rememberColumns(heads: readonly string[], columns: Columns): void {
  const others = read().filter(([key]) => key !== keyOf(heads));
  try {
    localStorage.setItem(STORED, JSON.stringify([[keyOf(heads), columns], ...others].slice(0, MAX_STORED)));
  } catch {
    // A browser that stores nothing asks again.
  }
}

function read(): [string, unknown][] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? '[]');
    return Array.isArray(stored)
      ? stored.flatMap((entry: unknown) =>
          Array.isArray(entry) && typeof entry[0] === 'string' ? [[entry[0], entry[1]]] : [],
        )
      : [];
  } catch {
    return [];
  }
}

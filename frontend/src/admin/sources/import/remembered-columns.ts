/** The columns that were chosen for a set of headers, in this browser. */
import { COLUMN_FIELDS, type Columns, matchColumnHeaders } from './match-column-headers';

const STORED = 'import-columns';
const MAX_STORED = 20;

const keyOf = (headers: readonly string[]) => JSON.stringify(headers);

/** The earlier choice for these headers, otherwise the best match. */
export function columnsFor(headers: readonly string[]): Columns {
  const chosen = read().find(([key]) => key === keyOf(headers))?.[1];
  if (typeof chosen !== 'object' || chosen === null) return matchColumnHeaders(headers);
  const stored = new Map<string, unknown>(Object.entries(chosen));
  return Object.fromEntries(
    COLUMN_FIELDS.flatMap((name) => {
      const at = stored.get(name);
      return typeof at === 'number' && at >= 0 && at < headers.length ? [[name, at]] : [];
    }),
  );
}

export function rememberColumns(headers: readonly string[], columns: Columns): void {
  const others = read().filter(([key]) => key !== keyOf(headers));
  try {
    localStorage.setItem(STORED, JSON.stringify([[keyOf(headers), columns], ...others].slice(0, MAX_STORED)));
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

import { readCursor } from '#functions/data/table/cursor';
import type { Item } from '#functions/data/table/table';
import { unknownCursor } from '#functions/domain/common/errors';

/** @returns the item after which the page starts @throws DomainError 400 for a cursor of another list */
export function pageStart(cursor: string | undefined, list: string): Item | undefined {
  if (cursor === undefined) return undefined;
  const after = readCursor(cursor, list);
  if (after === undefined) throw unknownCursor();
  return after;
}

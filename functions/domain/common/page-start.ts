import { readCursor } from '#functions/data/table/cursor';
import type { Item } from '#functions/data/table/table';
import { unknownCursor } from '#functions/domain/common/errors';

export function pageStart(cursor: string | undefined, list: string): Item | undefined {
  if (cursor === undefined) return undefined;
  const after = readCursor(cursor, list);
  if (after === undefined) throw unknownCursor();
  return after;
}

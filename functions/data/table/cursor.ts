import type { Item } from '#functions/data/table/table';

/** @param list the name of the list it belongs to */
export function writeCursor(next: Item, list: string): string {
  return Buffer.from(JSON.stringify({ list, next })).toString('base64url');
}

/** With any other position DynamoDB would fail or continue in another list. */
export function readCursor(cursor: string, list: string): Item | undefined {
  const parsed = parse(cursor);
  if (!isObject(parsed) || parsed.list !== list || !isObject(parsed.next)) return undefined;
  const position = Object.entries(parsed.next);
  const isPosition = position.every(
    ([name, value]) => /^(pk|sk|gsi[12](pk|sk))$/.test(name) && typeof value === 'string',
  );
  return isPosition && position.length === 4 ? Object.fromEntries(position) : undefined;
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

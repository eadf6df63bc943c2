import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '#functions/domain/common/errors';

/**
 * Keeps an edit from overwriting another one: each changed field must still have the value that the form was opened with.
 * The write itself must require that `now` is still stored.
 * @param expected those values in stored form, null for an empty field; undefined if the client sends none
 * @throws DomainError 409 `edited_meanwhile`, naming the fields
 */
export function requireUnchanged<T extends object>(
  expected: { readonly [Field in keyof T]?: T[Field] | null | undefined } | undefined,
  now: T,
): void {
  if (expected === undefined) return;
  const stored = new Map<string, unknown>(Object.entries(now));
  const changed = Object.entries(expected).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(value, stored.get(name) ?? null),
  );
  if (changed.length > 0)
    throw new DomainError('conflict', 'edited_meanwhile', 'Another admin has changed this.', {
      fields: Object.fromEntries(changed.map(([name]) => [name, 'Changed by another admin'])),
    });
}

/** Records of a closed list of names, which TypeScript's own functions know as texts only. */

export function recordOf<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value>;
export function recordOf<Value>(names: readonly string[], valueOf: (name: string) => Value): object {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]));
}

export function entriesOf<Name extends string, Value>(record: Readonly<Record<Name, Value>>): [Name, Value][];
export function entriesOf<Value>(record: Readonly<Record<string, Value>>): [string, Value][] {
  return Object.entries(record);
}

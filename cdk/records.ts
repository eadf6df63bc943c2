/** `Object.entries`, which knows names as texts only. */
export function entriesOf<Name extends string, Value>(record: Readonly<Record<Name, Value>>): [Name, Value][];
export function entriesOf<Value>(record: Readonly<Record<string, Value>>): [string, Value][] {
  return Object.entries(record);
}

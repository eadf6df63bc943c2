/**
 * Creates an object on its first use and then returns the same one: for objects that take milliseconds to create and
 * are not always needed, such as `Intl` formats.
 */
export function lazy<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * An object that is made when it is first asked for, and only then: for what takes milliseconds to make and is not needed
 * on every path, such as the formats of a language.
 */
export function lazy<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

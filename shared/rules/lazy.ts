/** For objects such as `Intl` formats, which take milliseconds to create and are not always needed. */
export function lazy<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

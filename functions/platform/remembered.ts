/**
 * Caches the result of `load` for the life of the process. Concurrent calls share one load. A failed load is not
 * cached: the next call loads again.
 */
export function remembered<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}

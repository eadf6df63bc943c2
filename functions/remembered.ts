/**
 * What a load brought, for the life of the process. A load that failed is forgotten: the next call makes it again. Calls
 * at the same moment share one load.
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

/** The error of a field, or the first error of its entries, which the server calls `origins.0`. */
export function errorWithin<T>(errors: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.entries(errors).find(([path]) => path === name || path.startsWith(`${name}.`))?.[1];
}

export const hasError = (errors: Readonly<Record<string, unknown>>, ...names: readonly string[]): boolean =>
  names.some((name) => errorWithin(errors, name) !== undefined);

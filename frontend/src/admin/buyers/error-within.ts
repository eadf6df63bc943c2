import type { UseFormReturnType } from '@mantine/form';

/** The error of a field, or the first error of its entries. */
export function errorWithin<Values>({ errors }: UseFormReturnType<Values>, name: string) {
  const [found] = Object.entries(errors).find(([path]) => path === name || path.startsWith(`${name}.`)) ?? [];
  return found === undefined ? undefined : errors[found];
}

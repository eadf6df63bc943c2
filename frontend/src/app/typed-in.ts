import type { FormEvent } from 'react';

/** What was typed into a field of the form. */
export function typedIn({ currentTarget }: FormEvent<HTMLFormElement>, name: string): string {
  const value = new FormData(currentTarget).get(name);
  return typeof value === 'string' ? value : '';
}

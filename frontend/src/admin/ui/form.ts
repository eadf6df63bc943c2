import type { UseFormReturnType } from '@mantine/form';
import { parseGermanNumber } from '#shared/rules/formats';
import { ApiError } from '../../app/api';

/** @returns the label, the hint, the value and the error of a field, as its input takes them */
export function fieldsOf<Values>(
  form: UseFormReturnType<Values>,
  labels: Readonly<Record<string, string>>,
  hints: Readonly<Record<string, string>> = {},
) {
  return (name: keyof Values & string, type: 'input' | 'checkbox' = 'input') => ({
    label: labels[name],
    description: hints[name],
    ...form.getInputProps(name, { type }),
  });
}

/** Shows the server's field errors and focuses the first refused field. */
export function showFieldErrors<Values extends object>(
  form: Pick<UseFormReturnType<Values>, 'setErrors'>,
  error: unknown,
): void {
  if (error instanceof ApiError) form.setErrors({ ...error.fields });
  focusFirstError();
}

/** Moves the focus to the first field that is marked as wrong, so that it is seen and read out. */
export function focusFirstError(): void {
  window.requestAnimationFrame(() => {
    const field = document.querySelector('[role="dialog"] [aria-invalid="true"], main [aria-invalid="true"]');
    if (field instanceof HTMLElement) field.focus();
  });
}

/** Text as it goes to the server: no markup, no control characters, no blanks around it. */
export function sanitise(text: string): string {
  return (
    text
      .replace(/<[^>]*>/g, '')
      // oxlint-disable-next-line no-control-regex
      .replace(/[\u0000-\u001f\u007f]/g, ' ')
      .trim()
  );
}

/** 0 or more as people type it, or nothing. */
export function isAmountOrEmpty(value: string): boolean {
  const amount = parseGermanNumber(value);
  return value.trim() === '' || (amount !== undefined && amount >= 0);
}

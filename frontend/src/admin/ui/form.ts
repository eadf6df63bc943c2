import type { UseFormReturnType } from '@mantine/form';
import { ApiError } from '../../app/api';

/** @returns label, hint, value and error of a field, as props of its input */
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

/** Focuses the first invalid field, so that it is visible and read out. */
export function focusFirstError(): void {
  window.requestAnimationFrame(() => {
    const field = document.querySelector('[role="dialog"] [aria-invalid="true"], main [aria-invalid="true"]');
    if (field instanceof HTMLElement) field.focus();
  });
}

/** Text for the server: without markup, control characters and surrounding spaces. */
export function sanitise(text: string): string {
  return (
    text
      .replace(/<[^>]*>/g, '')
      // oxlint-disable-next-line no-control-regex
      .replace(/[\u0000-\u001f\u007f]/g, ' ')
      .trim()
  );
}

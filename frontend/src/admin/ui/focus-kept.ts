import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react';

const CONTROLS = 'a[href], button:not(:disabled), input:not(:disabled)';

interface Focused {
  readonly element: Element;
  /** The index of its row in the whole list. */
  readonly row: number;
  /** Its position among the controls of the row. */
  readonly control: number;
}

/**
 * Keeps the focus in a table whose rows disappear once they are handled. It moves to the same control of the next row in
 * that place, or to the table itself after the last one. A table that disappears too is a case for useLostFocus.
 * @param table the element around the rows, which have `data-index`
 * @returns the handlers for that element
 */
export function useFocusKept(table: RefObject<HTMLElement | null>) {
  const focused = useRef<Focused>(undefined);

  useLayoutEffect(() => {
    const last = focused.current;
    if (last === undefined || last.element.isConnected || document.activeElement !== document.body) return;
    const rows = Array.from(table.current?.querySelectorAll('tr[data-index]') ?? []);
    const next = rows.find((row) => Number(row.getAttribute('data-index')) >= last.row) ?? rows.at(-1);
    const controls = next?.querySelectorAll<HTMLElement>(CONTROLS);
    (controls?.[last.control] ?? controls?.[0] ?? table.current)?.focus({ preventScroll: true });
  });

  return {
    onFocus: ({ target }: FocusEvent) => {
      const row = target.closest('tr[data-index]');
      focused.current = row
        ? {
            element: target,
            row: Number(row.getAttribute('data-index')),
            control: Array.from(row.querySelectorAll(CONTROLS)).indexOf(target),
          }
        : undefined;
    },
    // A click outside leaves the table. A button that loses focus because it was disabled does not.
    onBlur: ({ target, relatedTarget }: FocusEvent) => {
      if (relatedTarget === null && document.hasFocus() && !target.matches(':disabled'))
        focused.current = undefined;
    },
  };
}

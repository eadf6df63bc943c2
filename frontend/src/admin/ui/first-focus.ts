const FIELDS = 'input, select, textarea';
/** The library's name for the control that its focus trap focuses. */
const FIRST = 'data-autofocus';

/**
 * The ref of a dialog's content. The focus starts where the dialog says so, otherwise in its first field, on its main action or,
 * if it has neither, on its content; never on the button that closes it. A dialog that is closed above it returns the focus to
 * where it was.
 */
export function firstFocus(body: HTMLElement | null): (() => void) | undefined {
  if (body === null) return undefined;
  const mark = () => {
    const found = body.querySelector<HTMLElement>(`[${FIRST}]`) ?? firstOf(body);
    (found ?? body).setAttribute(FIRST, '');
    return found;
  };
  // Content that is still loading.
  const observer = new MutationObserver(() => {
    body.removeAttribute(FIRST);
    const found = mark();
    if (found === null) return;
    observer.disconnect();
    if (document.activeElement === body) found.focus({ preventScroll: true });
  });
  if (mark() === null) observer.observe(body, { childList: true, subtree: true });
  const moved = ({ target }: FocusEvent) => {
    if (!(target instanceof Element) || target === body) return;
    observer.disconnect();
    for (const before of [body, ...body.querySelectorAll(`[${FIRST}]`)]) before.removeAttribute(FIRST);
    target.setAttribute(FIRST, '');
  };
  body.addEventListener('focusin', moved);
  return () => {
    observer.disconnect();
    body.removeEventListener('focusin', moved);
  };
}

const isUsable = (it: Element) => it.checkVisibility() && !it.matches(':disabled, [tabindex="-1"]');

function firstOf(body: Element): HTMLElement | null {
  const visible = (selector: string) => [...body.querySelectorAll<HTMLElement>(selector)].find(isUsable);
  return visible(FIELDS) ?? visible('[data-variant="filled"]') ?? null;
}

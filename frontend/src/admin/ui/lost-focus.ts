import { useEffect } from 'react';

/** Continues at the start of the screen. */
export const focusContent = () => document.getElementById('content')?.focus({ preventScroll: true });

/**
 * Keeps the focus from falling to the page's body. A button that was disabled while it saved gets it back. If the focused
 * element disappears, as the button of an empty list does with the first row, the topmost dialog or the screen gets it.
 */
export function useLostFocus(): void {
  useEffect(() => {
    let last: Element | undefined;
    const focused = ({ target }: FocusEvent) => {
      if (target instanceof Element) last = target;
    };
    // A click elsewhere leaves the element.
    const clicked = ({ target }: PointerEvent) => {
      if (!(target instanceof Node && last?.contains(target))) last = undefined;
    };
    const observer = new MutationObserver(() => {
      if (!(last instanceof HTMLElement) || document.activeElement !== document.body) return;
      const dialog = [...document.querySelectorAll<HTMLElement>('.dialog-content')].at(-1);
      // A disabled one ignores it.
      if (last.isConnected) last.focus({ preventScroll: true });
      else if (dialog) dialog.focus({ preventScroll: true });
      else focusContent();
    });
    document.addEventListener('focusin', focused);
    document.addEventListener('pointerdown', clicked, true);
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', focused);
      document.removeEventListener('pointerdown', clicked, true);
    };
  }, []);
}

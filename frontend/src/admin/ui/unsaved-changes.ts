import { useEffect } from 'react';
import { CONFIRM } from '../texts';

/** The number of forms on the page with unsaved changes. */
let unsaved = 0;

export function hasUnsaved(): boolean {
  return unsaved > 0;
}

/** True if nothing is unsaved, or the person confirms leaving. */
export function confirmLeave(): boolean {
  return unsaved === 0 || window.confirm(CONFIRM.leave);
}

function warnBeforeUnload(event: BeforeUnloadEvent) {
  event.preventDefault();
}

/** Links inside the app do not unload the page, so the browser shows no warning. */
function guardLinks(event: MouseEvent) {
  const target = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (!target || target.getAttribute('target') === '_blank' || target.hasAttribute('download')) return;
  if (!confirmLeave()) {
    event.preventDefault();
    event.stopPropagation();
  }
}

/** The same for Back and Forward within the app. A browser that cannot intercept them leaves without a question. */
function guardHistory(event: NavigateEvent) {
  if (event.navigationType === 'traverse' && event.cancelable && !confirmLeave()) event.preventDefault();
}

/** While `dirty`, warns before the page is closed, reloaded, or left by a link, Back or Forward. */
export function useUnsavedChangesWarning(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return undefined;
    const navigation = 'navigation' in window ? window.navigation : undefined;
    unsaved += 1;
    window.addEventListener('beforeunload', warnBeforeUnload);
    document.addEventListener('click', guardLinks, true);
    navigation?.addEventListener('navigate', guardHistory);
    return () => {
      unsaved -= 1;
      window.removeEventListener('beforeunload', warnBeforeUnload);
      document.removeEventListener('click', guardLinks, true);
      navigation?.removeEventListener('navigate', guardHistory);
    };
  }, [dirty]);
}

/** While `typed`, warns before the page is closed or reloaded; within the app the typed text is kept. */
export function useReloadWarning(typed: boolean): void {
  useEffect(() => {
    if (!typed) return undefined;
    window.addEventListener('beforeunload', warnBeforeUnload);
    return () => window.removeEventListener('beforeunload', warnBeforeUnload);
  }, [typed]);
}

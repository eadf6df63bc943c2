import { useEffect } from 'react';
import { CONFIRM } from '../texts';

/** How many forms on the page hold changes that are not saved. */
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

/** Links inside the app do not unload the page, so the browser's own warning would not come. */
function guardLinks(event: MouseEvent) {
  const target = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (!target || target.getAttribute('target') === '_blank' || target.hasAttribute('download')) return;
  if (!confirmLeave()) {
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Nor do Back and Forward within the app. A browser that cannot hold them up leaves without a question. */
function guardHistory(event: NavigateEvent) {
  if (event.navigationType === 'traverse' && event.cancelable && !confirmLeave()) event.preventDefault();
}

/** While `dirty`, warns before the page is closed, reloaded or left by a link or by Back and Forward. */
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

/** While `typed`, warns before the page is closed or reloaded; what was typed is kept everywhere within the app. */
export function useReloadWarning(typed: boolean): void {
  useEffect(() => {
    if (!typed) return undefined;
    window.addEventListener('beforeunload', warnBeforeUnload);
    return () => window.removeEventListener('beforeunload', warnBeforeUnload);
  }, [typed]);
}

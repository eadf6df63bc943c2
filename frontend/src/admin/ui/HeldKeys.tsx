import { useLayoutEffect } from 'react';
import { TYPED_INTO } from './use-keys';

/** After this time the keys go to the app, in case the screen does not load. */
const MAX_HELD_MS = 3000;

/**
 * Holds single keys that are typed while a screen's code is loading, and repeats them once it is there. Otherwise the
 * second of two quick keys would be lost or mean something else. Rendered in the screen's place.
 */
export function HeldKeys() {
  useLayoutEffect(() => {
    const held: string[] = [];
    const hold = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) return;
      if (event.target instanceof Element && event.target.closest(TYPED_INTO)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      held.push(event.key);
    };
    const release = () => {
      window.removeEventListener('keydown', hold, true);
      clearTimeout(timer);
      typeAgain(held.splice(0));
    };
    const timer = setTimeout(release, MAX_HELD_MS);
    window.addEventListener('keydown', hold, true);
    return release;
  }, []);
  return null;
}

/** Each key waits until the result of the previous one is painted and listens. */
function typeAgain([key, ...others]: readonly string[]): void {
  if (key === undefined) return;
  requestAnimationFrame(() => {
    setTimeout(() => {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      typeAgain(others);
    });
  });
}

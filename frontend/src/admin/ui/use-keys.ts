import { useEffect, useEffectEvent } from 'react';
import { useDialogs } from '../dialogs/dialogs';
import { useSingleKeys } from '../shell/shortcuts';

/** Someone is typing there; keys are letters of the text. */
export const TYPED_INTO = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"]';

interface KeyAction {
  readonly act: () => void;
  /** Repeated while the key is held down. */
  readonly repeats?: boolean;
}

/**
 * Single keys of one view. They take precedence over the app's, and like those do nothing while somebody types, while a
 * dialog is open, or where single keys are switched off.
 */
export function useKeys(actions: Readonly<Record<string, KeyAction>>): void {
  const dialogs = useDialogs();
  const [singleKeys] = useSingleKeys();

  const press = useEffectEvent((event: KeyboardEvent) => {
    const modified = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
    if (!singleKeys || modified || dialogs.anyOpen || event.isComposing) return;
    if (event.target instanceof Element && event.target.closest(TYPED_INTO)) return;
    const action = actions[event.key.toLowerCase()];
    if (action === undefined) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!event.repeat || action.repeats) action.act();
  });

  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listener, true);
    return () => window.removeEventListener('keydown', listener, true);
  }, []);
}

import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, Suspense, useId, useLayoutEffect, useRef, useState } from 'react';
import { ErrorBoundary } from '../../ui/ErrorBoundary';
import { lazyComponent } from '../../ui/lazy-component';
import { useIsTopmost } from '../dialogs/dialogs';
import { useCodeFailed } from '../ui/code-failed';
import { focusContent } from '../ui/lost-focus';
import classes from './CommandPalette.module.css';

/** Fetches the code of the results ahead of the first use. */
export const loadCommandResults = () => import('./CommandResults');
const CommandResults = lazyComponent(async () => (await loadCommandResults()).CommandResults);

/**
 * Jumps to any buyer, order, lead or screen by a part of its name, and runs commands: "limit of x to 50".
 *
 * The field is part of the app's first script, so it is there at the key press and receives the next keys, even while the
 * code of the results is loading.
 */
export function CommandPalette({ close }: { close: () => void }) {
  const [text, setText] = useState('');
  const [selected, setSelected] = useState(0);
  const [active, setActive] = useState<string>();
  const [entered, setEntered] = useState(false);
  const codeFailed = useCodeFailed();
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();
  useIsTopmost();
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    field.current?.focus();
    const { href } = window.location;
    return () => {
      // Closing it before it is removed returns the focus.
      opened?.close();
      if (window.location.href !== href) focusContent();
    };
  }, []);

  const type = (typed: string) => {
    setText(typed);
    setSelected(0);
    setEntered(false);
    field.current?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setSelected(selected + 1);
    else if (event.key === 'ArrowUp') setSelected(selected - 1);
    else if (event.key === 'Enter') setEntered(true);
    // The browser uses this shortcut itself.
    else if (!(event.key === 'k' && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
  };

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape closes it too
    <dialog
      ref={dialog}
      aria-label="Search"
      className={classes.palette}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClose={close}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      <div>
        <label className={classes.field}>
          <IconSearch size={20} aria-hidden="true" />
          <input
            ref={field}
            role="combobox"
            aria-label="Search buyers, orders, leads and screens"
            aria-expanded="true"
            aria-controls={listId}
            aria-activedescendant={active}
            placeholder="Search buyers, orders, leads, screens…"
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            value={text}
            onChange={(event) => type(event.currentTarget.value)}
            onKeyDown={onKey}
          />
        </label>
        <ErrorBoundary
          onFailed={(error) => {
            close();
            codeFailed(error);
          }}
        >
          <Suspense fallback={<div id={listId} role="listbox" aria-label="Results" aria-busy="true" />}>
            <CommandResults
              listId={listId}
              text={text}
              type={type}
              selected={selected}
              select={setSelected}
              entered={entered}
              onActive={setActive}
              close={close}
            />
          </Suspense>
        </ErrorBoundary>
      </div>
    </dialog>
  );
}

import { IconDots } from '@tabler/icons-react';
import { type ReactNode, Suspense, useId, useState } from 'react';
import { IconButton } from './IconButton';
import classes from './RowMenu.module.css';

interface Props {
  /** The row's name. */
  readonly of: string;
  /** Its `MenuItems`, rendered when the menu is first opened. Their code can load then. */
  readonly children: (isOpen: boolean) => ReactNode;
}

/** The rarer actions of a row. The browser closes the menu on Escape or a click elsewhere. */
export function RowMenu({ of, children }: Props) {
  const id = useId();
  const [isOpen, setOpen] = useState<boolean>();
  const label = `More actions for ${of}`;
  return (
    <>
      <IconButton
        label={label}
        icon={IconDots}
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={isOpen === true}
      />
      <div
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className={classes.menu}
        // Opened again at once, it has only one toggle event, which does not say that it was closed.
        onBeforeToggle={({ newState }) => newState === 'closed' && setOpen(false)}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen !== undefined && <Suspense fallback={null}>{children(isOpen)}</Suspense>}
      </div>
    </>
  );
}

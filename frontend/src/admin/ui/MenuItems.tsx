import { UnstyledButton } from '@mantine/core';
import { type ComponentType, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import classes from './RowMenu.module.css';

/** Moves the focus through the items of an open menu. */
export function MenuItems({ isOpen, children }: { readonly isOpen: boolean; readonly children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null);
  const items = () => Array.from(list.current?.querySelectorAll('button') ?? []);

  useEffect(() => {
    if (isOpen) list.current?.querySelector('button')?.focus();
  }, [isOpen]);

  const move = (event: KeyboardEvent) => {
    const all = items();
    const at = all.findIndex((item) => item === document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      all.at(next % all.length)?.focus();
    }
    if (event.key === 'Tab') list.current?.closest<HTMLElement>('[popover]')?.hidePopover();
  };

  return (
    <div ref={list} role="none" onKeyDown={move}>
      {children}
    </div>
  );
}

interface ItemProps {
  readonly text: string;
  /** The text and the row's name, for screen readers. */
  readonly name: string;
  readonly icon: ComponentType<{ readonly size: number }>;
  readonly danger?: boolean;
  readonly onClick: () => void;
}

export function MenuItem({ text, name, icon: Icon, danger, onClick }: ItemProps) {
  return (
    <UnstyledButton
      className={classes.item}
      role="menuitem"
      tabIndex={-1}
      aria-label={name}
      data-danger={danger}
      onClick={({ currentTarget }) => {
        // The focus goes back to the row's button, where a closed dialog leaves it.
        currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
        onClick();
      }}
    >
      <Icon size={16} />
      {text}
    </UnstyledButton>
  );
}

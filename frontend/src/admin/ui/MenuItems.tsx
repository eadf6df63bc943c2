import { UnstyledButton } from '@mantine/core';
import { type ComponentType, type KeyboardEvent, useEffect, useRef } from 'react';
import { type RestrictedId } from '#shared/contract/roles';
import { useMay } from '../data/rights';
import classes from './RowMenu.module.css';

export interface MenuItem {
  readonly text: string;
  /** Before the row's name, for screen readers: `Keys of Landing page`, `Delete alpha`. */
  readonly joint?: 'of' | 'for';
  readonly icon: ComponentType<{ readonly size: number }>;
  readonly danger?: boolean;
  /** The call without which it is not shown. */
  readonly needs?: RestrictedId | undefined;
  readonly run: () => void;
}

export const itemName = ({ text, joint }: Pick<MenuItem, 'text' | 'joint'>, of: string): string =>
  [text, joint, of].filter(Boolean).join(' ');

interface Props {
  readonly isOpen: boolean;
  /** The row's name. */
  readonly of: string;
  readonly items: readonly MenuItem[];
}

/** The items of a row's menu. The first one gets the focus, and the arrow keys move it. */
export function MenuItems({ isOpen, of, items }: Props) {
  const may = useMay();
  const list = useRef<HTMLDivElement>(null);
  // The focus goes back to the row's button, where a closed dialog leaves it.
  const close = () => list.current?.closest<HTMLElement>('[popover]')?.hidePopover();

  useEffect(() => {
    if (isOpen) list.current?.querySelector('button')?.focus();
  }, [isOpen, list]);

  const move = (event: KeyboardEvent) => {
    const all = Array.from(list.current?.querySelectorAll('button') ?? []);
    const at = all.findIndex((item) => item === document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      all.at(next % all.length)?.focus();
    }
    if (event.key === 'Tab') close();
  };

  return (
    <div ref={list} role="none" onKeyDown={move}>
      {items
        .filter(({ needs }) => needs === undefined || may(needs))
        .map(({ icon: Icon, ...item }) => (
          <UnstyledButton
            key={item.text}
            className={classes.item}
            role="menuitem"
            tabIndex={-1}
            aria-label={itemName(item, of)}
            data-danger={item.danger}
            onClick={() => {
              close();
              item.run();
            }}
          >
            <Icon size={16} />
            {item.text}
          </UnstyledButton>
        ))}
    </div>
  );
}

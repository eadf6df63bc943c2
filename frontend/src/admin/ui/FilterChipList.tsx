import { ActionIcon, Group, VisuallyHidden } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import classes from './FilterChipList.module.css';

interface Filter {
  /** The filter's name, such as "Status". */
  readonly name: string;
  /** The chosen value; undefined while the filter is off. */
  readonly value: string;
  readonly remove: () => void;
}

export interface FilterProps {
  readonly filters: readonly Filter[];
  /** The margin below, if the surrounding layout has none. */
  readonly mb?: 'sm' | undefined;
}

export function FilterChipList({ filters, mb }: FilterProps) {
  const box = useRef<HTMLDivElement>(null);

  const remove = (filter: Filter) => {
    filter.remove();
    // The button disappears with its filter, so the focus moves elsewhere.
    window.requestAnimationFrame(() => {
      const next = box.current?.querySelector('button') ?? document.getElementById('content');
      next?.focus({ preventScroll: true });
    });
  };
  return (
    <Group ref={box} gap={6} {...(mb && { mb })} role="group" aria-label="Active filters">
      {filters.map((filter) => {
        const text = `${filter.name}: ${filter.value}`;
        return (
          <div key={filter.name} className={classes.chip}>
            <span className={classes.text}>{text}</span>
            <ActionIcon size={24} variant="transparent" color="gray" onClick={() => remove(filter)}>
              <IconX size={14} aria-hidden="true" />
              <VisuallyHidden>Remove filter {text}</VisuallyHidden>
            </ActionIcon>
          </div>
        );
      })}
    </Group>
  );
}

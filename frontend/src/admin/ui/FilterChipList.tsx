import { ActionIcon, Group, VisuallyHidden } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import classes from './FilterChipList.module.css';

interface Filter {
  /** What is filtered by, such as "Status". */
  readonly name: string;
  /** What is let through; without it the filter is off. */
  readonly value: string;
  readonly remove: () => void;
}

export interface FilterProps {
  readonly filters: readonly Filter[];
  /** The space below, where what surrounds them leaves none. */
  readonly mb?: 'sm' | undefined;
}

export function FilterChipList({ filters, mb }: FilterProps) {
  const box = useRef<HTMLDivElement>(null);

  const remove = (filter: Filter) => {
    filter.remove();
    // The button goes with its filter, and the focus must not get lost with it.
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

import { ActionIcon, Badge, Group, VisuallyHidden } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useRef } from 'react';

export interface FilterChip {
  /** What is filtered by, such as "Status". */
  readonly name: string;
  /** What is let through; without it the filter is off. */
  readonly value: string;
  readonly remove: () => void;
}

/** The filters that are on, whoever set them: a link, an address that was kept, or the fields of the screen. */
export function FilterChips({ filters }: { filters: readonly FilterChip[] }) {
  const box = useRef<HTMLDivElement>(null);
  const on = filters.filter(({ value }) => value !== '');
  if (on.length === 0) return null;

  const remove = (filter: FilterChip) => {
    filter.remove();
    // The button goes with its filter, and the focus must not get lost with it.
    window.requestAnimationFrame(() => {
      const next = box.current?.querySelector('button') ?? document.getElementById('content');
      next?.focus({ preventScroll: true });
    });
  };
  return (
    <Group ref={box} gap={6} role="group" aria-label="Active filters">
      {on.map((filter) => {
        const text = `${filter.name}: ${filter.value}`;
        return (
          <Badge
            key={filter.name}
            variant="default"
            size="lg"
            fw={500}
            maw="100%"
            rightSection={
              <ActionIcon size={24} variant="transparent" color="gray" onClick={() => remove(filter)}>
                <IconX size={14} aria-hidden="true" />
                <VisuallyHidden>Remove filter {text}</VisuallyHidden>
              </ActionIcon>
            }
          >
            {text}
          </Badge>
        );
      })}
    </Group>
  );
}

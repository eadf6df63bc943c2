import { Checkbox, Group } from '@mantine/core';

interface Props {
  readonly id: string;
  /** The columns that can be hidden. */
  readonly columns: readonly { readonly key: string; readonly title: string }[];
  readonly hidden: readonly string[];
  readonly hide: (keys: string[]) => void;
}

/** Loaded when it is first opened. */
export function ColumnsPanel({ id, columns, hidden, hide }: Props) {
  return (
    <Group id={id} role="group" aria-label="Columns" gap="md" py="xs">
      {columns.map(({ key, title }) => (
        <Checkbox
          key={key}
          size="xs"
          label={title}
          checked={!hidden.includes(key)}
          onChange={(event) =>
            hide(event.currentTarget.checked ? hidden.filter((other) => other !== key) : [...hidden, key])
          }
        />
      ))}
    </Group>
  );
}

import { Button, Checkbox, Group } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconColumns3 } from '@tabler/icons-react';
import { type ReactNode, useId, useMemo, useState } from 'react';
import type { Column } from './DataTable';

interface ColumnVisibility {
  /** The keys of the columns that are not shown. */
  readonly hidden: readonly string[];
  /** The button that opens the list of columns. */
  readonly button: ReactNode;
  /** The list itself; stands under the toolbar. */
  readonly panel: ReactNode;
}

/**
 * Lets people hide columns; the choice is kept in this browser.
 * The first column always stays, it names the row.
 * @param table names the table in the browser's storage
 */
export function useColumnVisibility<Row>(table: string, columns: readonly Column<Row>[]): ColumnVisibility {
  const [stored, setStored] = useLocalStorage<string[]>({
    key: `columns-${table}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const [open, setOpen] = useState(false);
  const id = useId();
  const hidden = useMemo(() => stored.filter((key) => key !== columns[0]?.key), [columns, stored]);
  return {
    hidden,
    button: (
      <Button
        variant="default"
        size="xs"
        leftSection={<IconColumns3 size={16} />}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        Columns
      </Button>
    ),
    panel: open && (
      <Group id={id} role="group" aria-label="Columns" gap="md" py="xs">
        {columns.slice(1).map((column) => (
          <Checkbox
            key={column.key}
            size="xs"
            label={column.title}
            checked={!hidden.includes(column.key)}
            onChange={(event) =>
              setStored(
                event.currentTarget.checked
                  ? hidden.filter((key) => key !== column.key)
                  : [...hidden, column.key],
              )
            }
          />
        ))}
      </Group>
    ),
  };
}

import { useLocalStorage } from '@mantine/hooks';
import { IconColumns3 } from '@tabler/icons-react';
import { type ReactNode, Suspense, useId, useMemo, useState } from 'react';
import { lazyComponent } from '../../ui/lazy-component';
import type { Column } from './DataTable';
import { ToolButton } from './ToolButton';

const ColumnsPanel = lazyComponent(async () => (await import('./ColumnsPanel')).ColumnsPanel);

interface ColumnVisibility {
  /** Keys of hidden columns. */
  readonly hidden: readonly string[];
  /** The button that opens the list of columns. */
  readonly button: ReactNode;
  /** The list itself, below the toolbar. */
  readonly panel: ReactNode;
}

/**
 * Lets people hide columns, except the first one, which names the row. The choice is stored in this browser.
 * @param table names the table in the browser's storage
 * @param rare keys of columns that are hidden at first
 */
export function useColumnVisibility<Row>(
  table: string,
  columns: readonly Column<Row>[],
  rare: string[] = [],
): ColumnVisibility {
  const [stored, setStored] = useLocalStorage({
    key: `columns-${table}`,
    defaultValue: rare,
    getInitialValueInEffect: false,
  });
  const [open, setOpen] = useState(false);
  const id = useId();
  const hidden = useMemo(() => stored.filter((key) => key !== columns[0]?.key), [columns, stored]);
  return {
    hidden,
    button: (
      <ToolButton icon={IconColumns3} aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        Columns
      </ToolButton>
    ),
    panel: open && (
      <Suspense fallback={null}>
        <ColumnsPanel id={id} columns={columns.slice(1)} hidden={hidden} hide={setStored} />
      </Suspense>
    ),
  };
}

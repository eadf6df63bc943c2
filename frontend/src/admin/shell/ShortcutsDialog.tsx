import '@mantine/core/styles/Table.css';
import { Kbd, Switch, Table } from '@mantine/core';
import { AppModal } from '../ui/AppModal';
import { SCREENS } from './screens';
import { KEYS, useSingleKeys } from './shortcuts';

/** The sheet of '?'. */
export function ShortcutsDialog({ close }: { close: () => void }) {
  const [enabled, setEnabled] = useSingleKeys();
  const rows = [
    ...KEYS.map(({ keys, what }) => ({ keys, what })),
    ...SCREENS.map(({ key, title }) => ({ keys: key.toUpperCase(), what: title })),
  ];
  return (
    <AppModal title="Keyboard shortcuts" close={close} size="md">
      <Table aria-label="Keyboard shortcuts">
        <Table.Tbody>
          {rows.map(({ keys, what }) => (
            <Table.Tr key={keys}>
              <Table.Td w={110}>
                <Kbd>{keys}</Kbd>
              </Table.Td>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Switch
        mt="md"
        label="Single-letter shortcuts"
        checked={enabled}
        onChange={(event) => setEnabled(event.currentTarget.checked)}
      />
    </AppModal>
  );
}

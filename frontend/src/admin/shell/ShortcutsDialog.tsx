import { Allowed, useMay } from '../data/rights';
import type { DialogInput } from '../dialogs/dialogs';
import '@mantine/core/styles/Table.css';
import { Kbd, Switch, Table, Title } from '@mantine/core';
import { AppModal } from '../ui/AppModal';
import { SCREENS, useMayOpen } from './screens';
import { INBOX_KEYS, KEYS, useSingleKeys } from './shortcuts';

export function ShortcutsDialog({ close }: DialogInput<'shortcuts'>) {
  const [enabled, setEnabled] = useSingleKeys();
  const may = useMay();
  const mayOpen = useMayOpen();
  const rows = [
    ...KEYS.filter(({ needs }) => needs === undefined || may(needs)).map(({ keys, what }) => ({
      keys,
      what,
    })),
    ...SCREENS.flatMap(({ key, title, path }) =>
      key && mayOpen(path) ? [{ keys: key.toUpperCase(), what: title }] : [],
    ),
  ];
  return (
    <AppModal title="Keyboard shortcuts" close={close} size="md">
      <Keys label="Keyboard shortcuts" rows={rows} />
      <Allowed to="approveClaim">
        <Title order={3} size="h6" mt="md" mb={4}>
          Claims inbox
        </Title>
        <Keys label="Keyboard shortcuts of the claims inbox" rows={INBOX_KEYS} />
      </Allowed>
      <Switch
        mt="md"
        label="Single-letter shortcuts"
        checked={enabled}
        onChange={(event) => setEnabled(event.currentTarget.checked)}
      />
    </AppModal>
  );
}

interface KeysProps {
  readonly label: string;
  readonly rows: readonly { readonly keys: string; readonly what: string }[];
}

function Keys({ label, rows }: KeysProps) {
  return (
    <Table aria-label={label}>
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
  );
}

import '@mantine/core/styles/Table.css';
import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ActiveAlert } from '../data/settings';
import { SmallText } from '../ui/SmallText';
import { ActiveAlerts } from './ActiveAlerts';
import { ALERTS } from './alert-texts';

interface Props {
  readonly active_alerts: readonly ActiveAlert[] | undefined;
  /** The e-mail, push and threshold cells of a row. */
  readonly children: (alert: (typeof ALERTS)[number]) => ReactNode;
}

/** Alerts by event, to read or to edit. */
export function AlertsTable({ active_alerts, children }: Props) {
  return (
    <Table aria-label="Alerts by event" horizontalSpacing={6} verticalSpacing={6}>
      <Table.Thead style={{ whiteSpace: 'nowrap' }}>
        <Table.Tr>
          <Table.Th>Event</Table.Th>
          <Table.Th>E-mail</Table.Th>
          <Table.Th>Push</Table.Th>
          <Table.Th w={{ base: 92, sm: 170 }}>Threshold</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {ALERTS.map((alert) => (
          <Table.Tr key={alert.kind}>
            <Table.Th scope="row" fw={400}>
              <Text fw={500} c="var(--mantine-color-text)">
                {alert.title}
              </Text>
              <SmallText>{alert.about}</SmallText>
              <ActiveAlerts active_alerts={active_alerts?.filter(({ kind }) => kind === alert.kind) ?? []} />
            </Table.Th>
            {children(alert)}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

import { Text } from '@mantine/core';
import { MantineRoot } from '../app/MantineRoot';

export function AdminApp() {
  return (
    <MantineRoot>
      <Text>Dashboard</Text>
    </MantineRoot>
  );
}

import { Group, Paper, SimpleGrid, Text } from '@mantine/core';
import { useVerification } from '../data/settings';
import { useDialogs } from '../dialogs/dialogs';
import { Tag } from '../ui/Tag';
import { CHECKS } from './checks';
import { SettingsSection } from './SettingsSection';

export function VerificationSection() {
  const settings = useVerification();
  const dialogs = useDialogs();
  return (
    <SettingsSection
      query={settings}
      what="The settings"
      title="API Verification Settings"
      about="A lead that fails a check is held as a pending lead."
      edit={{ label: 'Edit Settings', open: (stored) => dialogs.open('verification', { stored }) }}
    >
      {(stored) => (
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          {CHECKS.map(({ key, title, about }) => (
            <Paper key={key} withBorder p="md">
              <Group justify="space-between" wrap="nowrap" mb={4}>
                <Text fw={600}>{title}</Text>
                <Tag tone={stored[key] ? 'good' : 'neutral'}>{stored[key] ? 'Enabled' : 'Disabled'}</Tag>
              </Group>
              <Text c="dimmed">{about}</Text>
            </Paper>
          ))}
        </SimpleGrid>
      )}
    </SettingsSection>
  );
}

import { Badge, Button, Card, Group, SimpleGrid, Text } from '@mantine/core';
import { Suspense, useState } from 'react';
import { lazyComponent } from '../../ui/lazy-component';
import { useVerification } from '../data/settings';
import { ListSkeleton, QueryResult } from '../ui/states';
import { CHECKS } from './checks';
import { SettingsSection } from './SettingsSection';

const VerificationDialog = lazyComponent(
  async () => (await import('./VerificationDialog')).VerificationDialog,
);

export function VerificationSection() {
  const settings = useVerification();
  const [editing, setEditing] = useState(false);
  return (
    <SettingsSection
      title="API Verification Settings"
      about="A lead that fails a check waits among the pending leads."
      actions={
        <Button size="xs" disabled={!settings.data} onClick={() => setEditing(true)}>
          Edit Settings
        </Button>
      }
    >
      <QueryResult
        query={settings}
        skeleton={<ListSkeleton rows={1} />}
        errorTitle="The settings could not be loaded"
      >
        {(stored) => (
          <>
            <SimpleGrid cols={{ base: 1, sm: 3 }}>
              {CHECKS.map(({ key, title, about }) => (
                <Card key={key} withBorder radius="md" padding="md">
                  <Group justify="space-between" wrap="nowrap" mb={4}>
                    <Text fw={600} size="sm">
                      {title}
                    </Text>
                    <Badge color={stored[key] ? 'teal.9' : 'gray.7'}>
                      {stored[key] ? 'Enabled' : 'Disabled'}
                    </Badge>
                  </Group>
                  <Text size="sm" c="dimmed">
                    {about}
                  </Text>
                </Card>
              ))}
            </SimpleGrid>
            {editing && (
              <Suspense fallback={null}>
                <VerificationDialog stored={stored} close={() => setEditing(false)} />
              </Suspense>
            )}
          </>
        )}
      </QueryResult>
    </SettingsSection>
  );
}

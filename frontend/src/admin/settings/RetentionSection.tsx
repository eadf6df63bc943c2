import { Button, Paper, SimpleGrid, Text } from '@mantine/core';
import { Suspense, useState } from 'react';
import { lazyComponent } from '../../ui/lazy-component';
import { useRetention } from '../data/settings';
import { countOf, dayText } from '../ui/labels';
import { ListSkeleton, QueryResult } from '../ui/states';
import { KINDS, keptText } from './retention-texts';
import { SettingsSection } from './SettingsSection';

const RetentionDialog = lazyComponent(async () => (await import('./RetentionDialog')).RetentionDialog);

/** For how many days persons are kept. */
export function RetentionSection() {
  const retention = useRetention();
  const [editing, setEditing] = useState(false);
  return (
    <SettingsSection
      title="Retention"
      about="Personal data of old leads is erased automatically, some each minute. Numbers, revenue and decisions stay."
      actions={
        <Button size="xs" disabled={!retention.data} onClick={() => setEditing(true)}>
          Edit Retention
        </Button>
      }
    >
      <QueryResult
        query={retention}
        skeleton={<ListSkeleton rows={1} />}
        errorTitle="The retention could not be loaded"
      >
        {({ days, pass }) => (
          <>
            <SimpleGrid cols={{ base: 1, sm: 3 }}>
              {KINDS.map(({ kind, title, about }) => (
                <Paper key={kind} withBorder radius="md" p="md">
                  <Text fw={600} size="sm">
                    {title}
                  </Text>
                  <Text size="sm" mb={4}>
                    {keptText(days[kind])}
                  </Text>
                  <Text size="sm" c="dimmed">
                    {about}
                  </Text>
                </Paper>
              ))}
            </SimpleGrid>
            {pass !== null && (
              <Text size="sm" c="dimmed" mt="sm">
                {dayText(pass.day)}: {countOf(pass.erased, 'lead')} erased{pass.over ? '' : ' so far'}
              </Text>
            )}
            {editing && (
              <Suspense fallback={null}>
                <RetentionDialog stored={days} close={() => setEditing(false)} />
              </Suspense>
            )}
          </>
        )}
      </QueryResult>
    </SettingsSection>
  );
}

import { Button, Paper, SimpleGrid, Text } from '@mantine/core';
import { useRetention } from '../data/settings';
import { useDialogs } from '../dialogs/dialogs';
import { countOf, dayText } from '../ui/labels';
import { ListSkeleton, QueryResult } from '../ui/states';
import { KINDS, keptText } from './retention-texts';
import { SettingsSection } from './SettingsSection';

export function RetentionSection() {
  const retention = useRetention();
  const dialogs = useDialogs();
  return (
    <SettingsSection
      title="Retention"
      about="Personal data of old leads is erased automatically, in small batches. Numbers, revenue and decisions stay."
      actions={
        <Button
          size="xs"
          disabled={!retention.data}
          onClick={() => retention.data && dialogs.open('retention', { stored: retention.data.days })}
        >
          Edit Retention
        </Button>
      }
    >
      <QueryResult query={retention} skeleton={<ListSkeleton rows={1} />} what="The retention">
        {({ days, pass }) => (
          <>
            <SimpleGrid cols={{ base: 1, sm: 3 }}>
              {KINDS.map(({ kind, title, about }) => (
                <Paper key={kind} withBorder p="md">
                  <Text fw={600}>{title}</Text>
                  <Text mb={4}>{keptText(days[kind])}</Text>
                  <Text c="dimmed">{about}</Text>
                </Paper>
              ))}
            </SimpleGrid>
            {pass !== null && (
              <Text c="dimmed" mt="sm">
                {dayText(pass.day)}: {countOf(pass.erased, 'lead')} erased{pass.over ? '' : ' so far'}
              </Text>
            )}
          </>
        )}
      </QueryResult>
    </SettingsSection>
  );
}

import { Button, Paper, SimpleGrid, Text } from '@mantine/core';
import { useRetention } from '../data/settings';
import { useDialogs } from '../dialogs/dialogs';
import { countOf, dayText } from '../ui/labels';
import { ListSkeleton, QueryResult } from '../ui/states';
import { KINDS, keptText, PROOF_TITLE } from './retention-texts';
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
          onClick={() =>
            retention.data &&
            dialogs.open('retention', {
              stored: { ...retention.data.days, consent_years: retention.data.consent_years },
            })
          }
        >
          Edit Retention
        </Button>
      }
    >
      <QueryResult query={retention} skeleton={<ListSkeleton rows={1} />} what="The retention">
        {({ days, consent_years, pass }) => (
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
            <Text mt="sm">
              {PROOF_TITLE}:{' '}
              {consent_years === null
                ? 'off. Proofs that are kept already stay until their period ends.'
                : `${countOf(consent_years, 'year')} after the last delivery or use`}
            </Text>
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

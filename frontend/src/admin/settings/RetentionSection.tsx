import { Paper, SimpleGrid, Text } from '@mantine/core';
import { useRetention } from '../data/settings';
import { useDialogs } from '../dialogs/dialogs';
import { countOf, dayText } from '../ui/labels';
import { KINDS, keptText, PROOF_TITLE } from './retention-texts';
import { SettingsSection } from './SettingsSection';

export function RetentionSection() {
  const retention = useRetention();
  const dialogs = useDialogs();
  return (
    <SettingsSection
      query={retention}
      what="The retention"
      title="Retention"
      about="Personal data of old leads is erased automatically, in small batches. Numbers, revenue and decisions stay."
      edit={{
        label: 'Edit Retention',
        open: ({ days, consent_years }) => dialogs.open('retention', { stored: { ...days, consent_years } }),
      }}
    >
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
    </SettingsSection>
  );
}

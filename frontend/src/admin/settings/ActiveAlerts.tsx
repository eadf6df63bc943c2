import { Stack, Text } from '@mantine/core';
import type { ActiveAlert } from '../data/settings';

const MAX_SHOWN = 3;

/** The first few current alerts. */
export function ActiveAlerts({ active_alerts }: { readonly active_alerts: readonly ActiveAlert[] }) {
  if (active_alerts.length === 0) return null;
  const more = active_alerts.length - MAX_SHOWN;
  return (
    <Stack gap={2} mt={6}>
      {active_alerts.slice(0, MAX_SHOWN).map(({ text }) => (
        <Text key={text} style={{ overflowWrap: 'anywhere' }}>
          Now: {text}
        </Text>
      ))}
      {more > 0 && <Text>and {more} more</Text>}
    </Stack>
  );
}

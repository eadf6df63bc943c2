import { Stack, Text } from '@mantine/core';
import type { AlertFound } from '../data/settings';

const MAX_SHOWN = 3;

/** What is so at this moment, the first few. */
export function FoundNow({ found }: { readonly found: readonly AlertFound[] }) {
  if (found.length === 0) return null;
  const more = found.length - MAX_SHOWN;
  return (
    <Stack gap={2} mt={6}>
      {found.slice(0, MAX_SHOWN).map(({ text }) => (
        <Text key={text} size="sm" style={{ overflowWrap: 'anywhere' }}>
          Now: {text}
        </Text>
      ))}
      {more > 0 && <Text size="sm">and {more} more</Text>}
    </Stack>
  );
}

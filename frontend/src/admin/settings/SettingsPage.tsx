import { Stack } from '@mantine/core';
import { PushSection } from './PushSection';
import { TemplatesSection } from './TemplatesSection';
import { VerificationSection } from './VerificationSection';

export function SettingsPage() {
  return (
    <Stack gap="xl">
      <VerificationSection />
      <TemplatesSection />
      <PushSection />
    </Stack>
  );
}

import { Anchor, Stack } from '@mantine/core';
import { API_DOCS_PATH } from '#shared/contract/web-headers';
import { AlertsSection } from './AlertsSection';
import { PushSection } from './PushSection';
import { RetentionSection } from './RetentionSection';
import { StatusPageSection } from './StatusPageSection';
import { TemplatesSection } from './TemplatesSection';
import { VerificationSection } from './VerificationSection';

export function SettingsPage() {
  return (
    <Stack gap="xl">
      <VerificationSection />
      <TemplatesSection />
      <PushSection />
      <AlertsSection />
      <RetentionSection />
      <StatusPageSection />
      <Anchor href={API_DOCS_PATH} target="_blank" rel="noreferrer">
        API documentation
      </Anchor>
    </Stack>
  );
}

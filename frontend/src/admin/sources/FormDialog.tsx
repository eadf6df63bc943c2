import { Alert, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { routes } from '#shared/contract/routes';
import { KEY_PLACEHOLDER, readyForm } from '#shared/rules/ready-form';
import { useCompany } from '../data/settings';
import { useConsentTexts } from '../data/sources';
import type { DialogInput } from '../dialogs/dialogs';
import { AppModal } from '../ui/AppModal';
import { CopyButton } from '../ui/CopyLink';
import classes from './sources.module.css';

/** A form to copy into a landing page. */
export function FormDialog({ source, initialKey = '', close }: DialogInput<'source-form'>) {
  const [key, setKey] = useState(initialKey);
  const address = `${window.location.origin}${routes.postIntake.path}`;
  const texts = useConsentTexts(source);
  const company = useCompany();
  const current = texts.data?.at(-1);
  const consent = current && { ...current, privacy_url: company.data?.privacy_url };
  const html = readyForm(source, address, key.trim() === '' ? KEY_PLACEHOLDER : key.trim(), consent);
  return (
    <AppModal title={`Form for ${source.name}`} close={close} size="xl">
      <Stack gap="md">
        {texts.data !== undefined && company.data !== undefined && (
          <MissingConsent hasWording={current !== undefined} hasNotice={company.data.privacy_url !== ''} />
        )}
        {(texts.isError || company.isError) && (
          <Alert color="red" title="The consent could not be loaded">
            <Text>The form below does not ask for it. Close this dialog and try again.</Text>
          </Alert>
        )}
        {source.origins.length === 0 && (
          <Alert color="orange" title="No web page may post yet">
            <Text>
              Browsers may post only from the pages listed in the source’s settings, for example
              https://landing.example.com. Add the page there.
            </Text>
          </Alert>
        )}
        <TextInput
          label="Key"
          description="Paste the key of this source, or add it to the form later."
          placeholder={KEY_PLACEHOLDER}
          autoComplete="off"
          spellCheck={false}
          className={classes.mono}
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        <Textarea
          label="HTML"
          readOnly
          rows={14}
          spellCheck={false}
          className={classes.mono}
          value={html}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Text c="dimmed">
            Copy this into your page. Visitors can read the key, but it only posts leads from the pages of
            this source, within its limits. Use a separate source and key for each page.
          </Text>
          <CopyButton value={html} label="Copy form" what="form" />
        </Group>
      </Stack>
    </AppModal>
  );
}

/** What the form lacks. */
function MissingConsent({
  hasWording,
  hasNotice,
}: {
  readonly hasWording: boolean;
  readonly hasNotice: boolean;
}) {
  if (hasWording && hasNotice) return null;
  return (
    <Alert color="orange" title={hasWording ? 'No privacy notice' : 'The form does not ask for consent'}>
      <Text>
        {hasWording
          ? 'The form has no link to a privacy notice. Add its address to the company details in the settings.'
          : 'Buyers may not call people without it. Add the wording under Consent in the source’s settings.'}
      </Text>
    </Alert>
  );
}

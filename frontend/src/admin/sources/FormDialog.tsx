import { Alert, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { routes } from '#shared/contract/routes';
import { KEY_PLACEHOLDER, readyForm } from '#shared/rules/ready-form';
import type { DialogInput } from '../dialogs/dialogs';
import { AppModal } from '../ui/AppModal';
import { CopyButton } from '../ui/CopyLink';
import classes from './sources.module.css';

/** A form to copy into a landing page. */
export function FormDialog({ source, initialKey = '', close }: DialogInput<'source-form'>) {
  const [key, setKey] = useState(initialKey);
  const address = `${window.location.origin}${routes.postIntake.path}`;
  const html = readyForm(source, address, key.trim() === '' ? KEY_PLACEHOLDER : key.trim());
  return (
    <AppModal title={`Form for ${source.name}`} close={close} size="xl">
      <Stack gap="md">
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

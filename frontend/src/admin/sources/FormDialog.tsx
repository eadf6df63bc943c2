import { Alert, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type RestrictedId } from '#shared/contract/roles';
import { routes } from '#shared/contract/routes';
import { KEY_PLACEHOLDER, readyForm } from '#shared/rules/ready-form';
import { useCompany } from '../data/settings';
import { useConsentTexts, useSource } from '../data/sources';
import { type DialogInput, useDialogs } from '../dialogs/dialogs';
import { AppModal } from '../ui/AppModal';
import { CopyButton } from '../ui/CopyLink';
import { ToolButton } from '../ui/ToolButton';
import classes from './sources.module.css';

/** A form to copy into a landing page. */
export function FormDialog({ source: opened, initialKey = '', close }: DialogInput<'source-form'>) {
  const source = useSource(opened);
  const [key, setKey] = useState(initialKey);
  const address = `${window.location.origin}${routes.postIntake.path}`;
  const texts = useConsentTexts(source);
  const company = useCompany();
  const stored = company.data;
  const dialogs = useDialogs();
  const current = texts.data?.at(-1);
  const consent = current && { ...current, privacy_url: stored?.privacy_url };
  const html = readyForm(source, address, key.trim() === '' ? KEY_PLACEHOLDER : key.trim(), consent);
  const editSource = () => dialogs.open('source', { source });
  return (
    <AppModal title={`Form for ${source.name}`} close={close} size="xl">
      <Stack gap="md">
        {texts.data !== undefined && current === undefined && (
          <Gap
            title="The form does not ask for consent"
            needs="updateSource"
            action="Edit source"
            open={editSource}
          >
            Buyers may not call people without it. Add the wording under Consent in the source’s settings.
          </Gap>
        )}
        {current !== undefined && stored?.privacy_url === '' && (
          <Gap
            title="No privacy notice"
            needs="saveCompany"
            action="Edit Company"
            open={() => dialogs.open('company', { stored })}
          >
            The form has no link to a privacy notice. Add its address to the company details.
          </Gap>
        )}
        {(texts.isError || company.isError) && (
          <Alert color="red" title="The consent could not be loaded">
            <Text>The form below does not ask for it. Close this dialog and try again.</Text>
          </Alert>
        )}
        {source.origins.length === 0 && (
          <Gap title="No web page may post yet" needs="updateSource" action="Edit source" open={editSource}>
            Browsers may post only from the web pages listed under Who may post in the source’s settings, for
            example https://landing.example.com. Add the page there.
          </Gap>
        )}
        {source.state !== 'live' && (
          <Gap
            title={source.state === 'test' ? 'This source is in test' : 'This source is paused'}
            action="Change state"
            needs="updateSource"
            open={() => dialogs.open('source-state', { source })}
          >
            {source.state === 'test'
              ? 'The form works, but nothing that visitors send is stored. Set the source live for that.'
              : 'Everything that visitors send is refused.'}
          </Gap>
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
            Copy this into your page, and again after a change of the wording. Visitors can read the key, but
            it only posts leads from the pages of this source, within its limits. Use a separate source and
            key for each page.
          </Text>
          <CopyButton value={html} label="Copy form" what="form" />
        </Group>
      </Stack>
    </AppModal>
  );
}

interface GapProps {
  readonly title: string;
  readonly action: string;
  readonly needs: RestrictedId;
  readonly open: () => void;
  readonly children: string;
}

/** What the form lacks, and where it is added. */
function Gap({ title, action, needs, open, children }: GapProps) {
  return (
    <Alert color="orange" title={title}>
      <Text mb="xs">{children}</Text>
      <ToolButton needs={needs} onClick={open}>
        {action}
      </ToolButton>
    </Alert>
  );
}

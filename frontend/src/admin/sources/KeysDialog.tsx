import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { KEY_SLOTS } from '#shared/rules/constants';
import { formatDateTime } from '#shared/rules/formats';
import { useApiMutation } from '../data/mutation';
import { type Source, type SourceKey, useSource } from '../data/sources';
import { type DialogInput, useDialogs } from '../dialogs/dialogs';
import { CONFIRM } from '../texts';
import { AppModal } from '../ui/AppModal';
import { CopyField } from '../ui/CopyField';
import rowClasses from '../ui/rows.module.css';
import { ToolButton } from '../ui/ToolButton';
import { usedText } from './key-texts';
import classes from './sources.module.css';

/** The keys of a source: two at most, so that one can be replaced while the other is still in use. */
export function KeysDialog({ source: opened, close }: DialogInput<'source-keys'>) {
  const source = useSource(opened);
  const [created, setCreated] = useState<string>();
  const create = useApiMutation('createSourceKey', { quiet: true });
  const dialogs = useDialogs();
  const showForm = (initialKey: string) => {
    close();
    dialogs.open('source-form', { source, initialKey });
  };
  const full = source.keys.length === KEY_SLOTS.length;
  return (
    <AppModal title={`Keys of ${source.name}`} close={close} size="lg">
      <Stack gap="md">
        {created !== undefined && (
          <Alert color="orange" title="Copy this key now" role="alert">
            <Stack gap="sm">
              <Text>It is shown only now. Only its hash is stored, so it cannot be shown again.</Text>
              <CopyField
                label="New key"
                value={created}
                copy="Copy key"
                what="key"
                ref={focusOn}
                className={classes.mono}
              />
              <Group>
                <ToolButton onClick={() => showForm(created)}>Make a form with this key</ToolButton>
              </Group>
            </Stack>
          </Alert>
        )}
        {source.keys.length === 0 ? (
          <Text>
            This source has no key yet. Leads are posted with a key in the header “Authorization: Bearer …”.
            It gives access to nothing else.
          </Text>
        ) : (
          <Stack gap="xs" component="ul" className={rowClasses.list}>
            {source.keys.map((key) => (
              <KeyRow key={key.slot} source={source} sourceKey={key} />
            ))}
          </Stack>
        )}
        <Group justify="space-between" gap="sm">
          <Text c="dimmed" flex={1} miw={200}>
            {full
              ? 'A source can have two keys. Revoke one to create another.'
              : 'To replace a key, create a second one, switch to it everywhere, then revoke the first.'}
          </Text>
          <Button
            disabled={full}
            loading={create.isPending}
            onClick={() =>
              create.mutate(
                { params: { sourceId: source.source_id } },
                { onSuccess: ({ key }) => setCreated(key) },
              )
            }
          >
            Create Key
          </Button>
        </Group>
      </Stack>
    </AppModal>
  );
}

/** The key is shown once, so it is selected for copying. The pressed button may be disabled now. */
const focusOn = (field: HTMLInputElement | null) => field?.focus();

function KeyRow({ source, sourceKey }: { readonly source: Source; readonly sourceKey: SourceKey }) {
  const { prefix, slot } = sourceKey;
  const revoke = useApiMutation('revokeSourceKey');
  const dialogs = useDialogs();
  const confirmRevoke = () =>
    dialogs.ask({ title: 'Revoke key', text: CONFIRM.revokeKey(prefix, source.name), action: 'Revoke' }, () =>
      revoke.mutate({ params: { sourceId: source.source_id, slot } }),
    );
  return (
    <li className={rowClasses.row}>
      <div className={rowClasses.text}>
        <Text fw={500} className={classes.key}>
          {prefix}…
        </Text>
        <Text c="dimmed">
          Created {formatDateTime(new Date(sourceKey.created_at))} · {usedText(sourceKey)}
        </Text>
      </div>
      <ToolButton aria-label={`Revoke ${prefix}`} loading={revoke.isPending} onClick={confirmRevoke}>
        Revoke
      </ToolButton>
    </li>
  );
}

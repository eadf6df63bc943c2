import { Alert, Group, Stack, Text } from '@mantine/core';
import { KEY_SLOTS } from '#shared/rules/constants';
import { formatDateTime } from '#shared/rules/formats';
import { type Endpoints } from '../../data/callbacks';
import { useApiMutation } from '../../data/mutation';
import type { Source } from '../../data/sources';
import { useDialogs } from '../../dialogs/dialogs';
import { CONFIRM } from '../../texts';
import { CopyField } from '../../ui/CopyField';
import rowClasses from '../../ui/rows.module.css';
import { ToolButton } from '../../ui/ToolButton';
import classes from '../sources.module.css';

interface Props {
  readonly source: Source;
  readonly secrets: Endpoints['secrets'];
  /** A new one, shown only once. */
  readonly created: string | undefined;
  readonly show: (secret: string) => void;
}

/** The secrets that sign the webhooks of a source: two at most, so that one can be replaced without a pause. */
export function SigningSecrets({ source, secrets, created, show }: Props) {
  const params = { sourceId: source.source_id };
  const create = useApiMutation('createSigningSecret', { quiet: true });
  if (secrets.length === 0)
    return (
      <Text c="dimmed" mt="sm">
        The signing secret is created when an address is saved, and shown once.
      </Text>
    );
  return (
    <Stack gap="xs" mt="sm">
      {created !== undefined && (
        <Alert color="orange" title="Copy this secret now" role="alert">
          <Stack gap="xs">
            <Text>It is shown only now. The receiver checks signatures with it.</Text>
            <CopyField
              label="New secret"
              value={created}
              copy="Copy secret"
              what="secret"
              className={classes.mono}
            />
          </Stack>
        </Alert>
      )}
      <Stack gap="xs" component="ul" className={rowClasses.list}>
        {secrets.map((secret) => (
          <SecretRow key={secret.slot} source={source} secret={secret} isOnly={secrets.length === 1} />
        ))}
      </Stack>
      <Group justify="space-between" gap="sm">
        <Text c="dimmed" flex={1} miw={200}>
          {secrets.length === KEY_SLOTS.length
            ? 'Every webhook is signed with both. Revoke the old secret once the receiver uses the new one.'
            : 'To replace the secret, create a second one, give it to the receiver, then revoke the first.'}
        </Text>
        <ToolButton
          disabled={secrets.length === KEY_SLOTS.length}
          loading={create.isPending}
          onClick={() => create.mutate({ params }, { onSuccess: ({ secret }) => show(secret) })}
        >
          Create Secret
        </ToolButton>
      </Group>
    </Stack>
  );
}

interface RowProps {
  readonly source: Source;
  readonly secret: Endpoints['secrets'][number];
  readonly isOnly: boolean;
}

function SecretRow({ source, secret: { slot, created_at }, isOnly }: RowProps) {
  const revoke = useApiMutation('revokeSigningSecret');
  const dialogs = useDialogs();
  const name = slot.toUpperCase();
  const confirmRevoke = () =>
    dialogs.ask({ title: 'Revoke secret', text: CONFIRM.revokeSecret(source.name), action: 'Revoke' }, () =>
      revoke.mutate({ params: { sourceId: source.source_id, slot } }),
    );
  return (
    <li className={rowClasses.row}>
      <div className={rowClasses.text}>
        <Text fw={500}>Secret {name}</Text>
        <Text c="dimmed">Created {formatDateTime(new Date(created_at))}</Text>
      </div>
      {!isOnly && (
        <ToolButton aria-label={`Revoke secret ${name}`} loading={revoke.isPending} onClick={confirmRevoke}>
          Revoke
        </ToolButton>
      )}
    </li>
  );
}

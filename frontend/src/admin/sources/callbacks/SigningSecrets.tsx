import { Alert, Group, Stack, Text } from '@mantine/core';
import { KEY_SLOTS, type KeySlot } from '#shared/rules/constants';
import { formatDateTime } from '#shared/rules/formats';
import { type Endpoints } from '../../data/callbacks';
import { useDialogs } from '../../dialogs/dialogs';
import { CONFIRM } from '../../texts';
import { CopyField } from '../../ui/CopyField';
import rowClasses from '../../ui/rows.module.css';
import { ToolButton } from '../../ui/ToolButton';
import classes from '../sources.module.css';

interface Props {
  /** Of the receiver. */
  readonly name: string;
  readonly secrets: Endpoints['secrets'];
  /** A new one, shown only once. */
  readonly created: string | undefined;
  readonly creating: boolean;
  readonly create: () => void;
  readonly revoking: KeySlot | undefined;
  readonly revoke: (slot: KeySlot) => void;
}

/** The secrets that sign webhooks: two at most, so that one can be replaced without a pause. */
export function SigningSecrets({ name, secrets, created, creating, create, revoking, revoke }: Props) {
  const dialogs = useDialogs();
  const confirmRevoke = (slot: KeySlot) =>
    dialogs.ask({ title: 'Revoke secret', text: CONFIRM.revokeSecret(name), action: 'Revoke' }, () =>
      revoke(slot),
    );
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
        {secrets.map(({ slot, created_at }) => (
          <li key={slot} className={rowClasses.row}>
            <div className={rowClasses.text}>
              <Text fw={500}>Secret {slot.toUpperCase()}</Text>
              <Text c="dimmed">Created {formatDateTime(new Date(created_at))}</Text>
            </div>
            {secrets.length > 1 && (
              <ToolButton
                aria-label={`Revoke secret ${slot.toUpperCase()}`}
                loading={revoking === slot}
                onClick={() => confirmRevoke(slot)}
              >
                Revoke
              </ToolButton>
            )}
          </li>
        ))}
      </Stack>
      <Group justify="space-between" gap="sm">
        <Text c="dimmed" flex={1} miw={200}>
          {secrets.length === KEY_SLOTS.length
            ? 'Every webhook is signed with both. Revoke the old secret once the receiver uses the new one.'
            : 'To replace the secret, create a second one, give it to the receiver, then revoke the first.'}
        </Text>
        <ToolButton disabled={secrets.length === KEY_SLOTS.length} loading={creating} onClick={create}>
          Create Secret
        </ToolButton>
      </Group>
    </Stack>
  );
}

import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { formatDateTime } from '#shared/rules/formats';
import { makePasskey } from '../../app/passkeys';
import { RecoveryCodes } from '../../app/RecoveryCodes';
import { type OwnPasskey, usePasskeys } from '../data/admins';
import { useApiMutation, useWrite } from '../data/mutation';
import { call } from '../data/query';
import { type DialogInput, useDialogs } from '../dialogs/dialogs';
import { INVALID } from '../invalid-texts';
import { useNotifications } from '../notifications';
import { CONFIRM } from '../texts';
import { AppModal } from '../ui/AppModal';
import { focusFirstError } from '../ui/form';
import { countOf } from '../ui/labels';
import rowClasses from '../ui/rows.module.css';
import { ListSkeleton, QueryResult } from '../ui/states';
import { ToolButton } from '../ui/ToolButton';
import { useReauthentication } from './use-reauthentication';

/** Aligns the button with the field, below its label and description. */
const BESIDE_FIELD_PX = 41;

export function PasskeysDialog({ close }: DialogInput<'passkeys'>) {
  const withReauthentication = useReauthentication();
  const own = usePasskeys();
  const [codes, setCodes] = useState<readonly string[]>();
  const notifications = useNotifications();
  const renew = useApiMutation('renewRecoveryCodes', { around: withReauthentication });
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (value) => (value.trim() === '' ? INVALID.required('Name') : null) },
  });
  const add = useWrite('addPasskey', async (name: string) => {
    const asked = await withReauthentication(() => call('beginPasskey', {}));
    const body = { ...(await makePasskey(asked)), name };
    return call('addPasskey', { body });
  });
  if (codes !== undefined)
    return (
      <AppModal title="Recovery codes" close={() => setCodes(undefined)} size="md" dirty>
        <RecoveryCodes codes={codes} done={() => setCodes(undefined)} />
      </AppModal>
    );
  return (
    <AppModal title="Your passkeys" close={close} size="lg">
      <Stack gap="md">
        <Text>
          A passkey logs you in with your device or a security key instead of a password. Once you have one,
          your password alone no longer works.
        </Text>
        <QueryResult query={own} skeleton={<ListSkeleton rows={1} />} what="The passkeys">
          {({ passkeys, recovery_codes: left }) => (
            <>
              {passkeys.length > 0 && (
                <Stack gap="xs" component="ul" className={rowClasses.list}>
                  {passkeys.map((passkey) => (
                    <PasskeyRow key={passkey.passkey_id} passkey={passkey} isLast={passkeys.length === 1} />
                  ))}
                </Stack>
              )}
              <form
                noValidate
                onSubmit={form.onSubmit(
                  ({ name }) =>
                    add.mutate(name, {
                      onSuccess: ({ recovery_codes }) => {
                        notifications.success(`Passkey ${name} registered`);
                        form.reset();
                        if (recovery_codes !== null) setCodes(recovery_codes);
                      },
                    }),
                  focusFirstError,
                )}
              >
                <Group align="flex-start" gap="sm">
                  <TextInput
                    label="Name of the new passkey"
                    description="For example: Laptop"
                    flex={1}
                    miw={200}
                    maxLength={60}
                    autoComplete="off"
                    {...form.getInputProps('name')}
                  />
                  <Button type="submit" loading={add.isPending} mt={BESIDE_FIELD_PX}>
                    Add Passkey
                  </Button>
                </Group>
              </form>
              {passkeys.length > 0 && (
                <Group justify="space-between" gap="sm">
                  <Text flex={1} miw={200}>
                    {countOf(left, 'recovery code')} left. New codes replace the old ones.
                  </Text>
                  <Button
                    variant="default"
                    loading={renew.isPending}
                    onClick={() =>
                      renew.mutate({}, { onSuccess: ({ recovery_codes }) => setCodes(recovery_codes) })
                    }
                  >
                    New Recovery Codes
                  </Button>
                </Group>
              )}
            </>
          )}
        </QueryResult>
      </Stack>
    </AppModal>
  );
}

function PasskeyRow({ passkey, isLast }: { readonly passkey: OwnPasskey; readonly isLast: boolean }) {
  const { passkey_id: passkeyId, name, created_at, used_at } = passkey;
  const remove = useApiMutation('removePasskey', { around: useReauthentication() });
  const dialogs = useDialogs();
  const confirmRemoval = () =>
    dialogs.ask(
      { title: 'Remove passkey', text: CONFIRM.removePasskey(name, isLast), action: 'Remove' },
      () => remove.mutate({ params: { passkeyId } }),
    );
  return (
    <li className={rowClasses.row}>
      <div className={rowClasses.text}>
        <Text fw={500}>{name}</Text>
        <Text c="dimmed">
          Registered {formatDateTime(new Date(created_at))} ·{' '}
          {used_at === null ? 'never used' : `last used ${formatDateTime(new Date(used_at))}`}
        </Text>
      </div>
      <ToolButton aria-label={`Remove passkey ${name}`} loading={remove.isPending} onClick={confirmRemoval}>
        Remove
      </ToolButton>
    </li>
  );
}

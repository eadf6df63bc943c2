import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Sent } from '#shared/contract/schemas';
import { PasskeyError, showPasskey } from '../../app/passkeys';
import { typedIn } from '../../app/typed-in';
import { usePasskeys } from '../data/admins';
import { CALLS } from '../data/calls';
import { call } from '../data/query';
import type { DialogInput } from '../dialogs/dialogs';
import { errorText } from '../notifications';
import { AppModal } from '../ui/AppModal';
import { FormButtons } from '../ui/FormButtons';

export function ReauthenticationDialog({ onReauthenticated, close }: DialogInput<'reauthentication'>) {
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const own = usePasskeys();
  const send = async (body: () => Promise<Sent<'reauthenticate', 'body'> | undefined>) => {
    setBusy(true);
    setError(undefined);
    try {
      const shown = await body();
      if (shown !== undefined) {
        await call('reauthenticate', { body: shown });
        onReauthenticated();
        close();
        return;
      }
    } catch (refusal) {
      setError(
        refusal instanceof PasskeyError ? refusal.message : errorText(refusal, CALLS.reauthenticate[0]),
      );
    }
    setBusy(false);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = typedIn(event, 'password');
    void send(async () => ({ password }));
  };
  return (
    <AppModal title="Confirm your identity" close={close} size="sm">
      <form onSubmit={submit}>
        <Stack>
          <Text>You logged in more than ten minutes ago, and this changes who can log in.</Text>
          <PasswordInput
            label="Your password"
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            data-autofocus
            error={error}
          />
          {own.data !== undefined && own.data.passkeys.length > 0 && (
            <Button variant="default" loading={busy} onClick={() => void send(passkeyResponse)}>
              Use a passkey
            </Button>
          )}
          <FormButtons cancel={close} action="Confirm" saving={busy} />
        </Stack>
      </form>
    </AppModal>
  );
}

async function passkeyResponse(): Promise<Sent<'reauthenticate', 'body'> | undefined> {
  const passkey = await showPasskey(await call('beginReauthentication', {}));
  return passkey && { passkey };
}

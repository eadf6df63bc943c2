import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiError, call } from '../app/api';
import { useAuth } from '../app/auth';
import { makePasskey } from '../app/passkeys';
import { RecoveryCodes } from '../app/RecoveryCodes';
import { LOGIN_FAILED } from '../app/texts';
import { LoginFrame, LoginHead } from './LoginFrame';
import { textOfError } from './text-of-error';

const TOO_LATE = 'You logged in more than ten minutes ago. Log out and log in again.';

/** The only page for an admin without a required passkey. */
export function PasskeySetupPage() {
  const { entered, logout } = useAuth();
  const [codes, setCodes] = useState<readonly string[]>();
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('name');
    setBusy(true);
    setError(undefined);
    try {
      const made = await makePasskey(await call('beginPasskey', {}, { fallbackText: LOGIN_FAILED }));
      const body = { ...made, name: typeof typed === 'string' ? typed : '' };
      const { recovery_codes } = await call('addPasskey', { body }, { fallbackText: LOGIN_FAILED });
      if (recovery_codes === null) entered();
      else setCodes(recovery_codes);
    } catch (refusal) {
      setError(
        refusal instanceof ApiError && refusal.code === 'reauthentication_required'
          ? TOO_LATE
          : textOfError(refusal),
      );
    }
    setBusy(false);
  };
  return (
    <LoginFrame title="Register a passkey">
      {codes === undefined ? (
        <form onSubmit={submit}>
          <Stack gap="md">
            <LoginHead title="Register a passkey">
              <Text c="dimmed" size="sm">
                Every admin needs a passkey here. It is stored on your device or on a security key.
              </Text>
            </LoginHead>
            {error !== undefined && <Alert color="red.9" variant="filled" role="alert" title={error} />}
            <TextInput
              label="Name of the passkey"
              name="name"
              description="To tell it apart from others, for example: Laptop"
              required
              withAsterisk={false}
              maxLength={60}
              size="md"
            />
            <Button type="submit" size="md" loading={busy}>
              Register
            </Button>
            <Button variant="subtle" onClick={() => void logout()}>
              Log out
            </Button>
          </Stack>
        </form>
      ) : (
        <RecoveryCodes codes={codes} done={entered} />
      )}
    </LoginFrame>
  );
}

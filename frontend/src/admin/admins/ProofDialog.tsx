import { PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { call } from '../../app/api';
import { errorText } from '../notifications';
import { FAILED } from '../texts';
import { AppModal } from '../ui/AppModal';
import { FormButtons } from '../ui/FormButtons';

interface Props {
  readonly answer: (proved: boolean) => void;
}

/** Asks who uses the session. */
export function ProofDialog({ answer }: Props) {
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = new FormData(event.currentTarget).get('password');
    setBusy(true);
    try {
      await call(
        'proveAdmin',
        { body: { password: typeof password === 'string' ? password : '' } },
        { fallbackText: FAILED.prove },
      );
      answer(true);
    } catch (refusal) {
      setError(errorText(refusal, FAILED.prove));
      setBusy(false);
    }
  };
  return (
    <AppModal title="Confirm that it is you" close={() => answer(false)} size="sm">
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">Your log-in is more than ten minutes old, and this changes who may log in.</Text>
          <PasswordInput
            label="Your password"
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            data-autofocus
            error={error}
            visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
          />
          <FormButtons cancel={() => answer(false)} action="Confirm" saving={busy} />
        </Stack>
      </form>
    </AppModal>
  );
}

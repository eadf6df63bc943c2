import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiError } from '../app/api';
import { useAuth } from '../app/auth';
import { LOGIN_FAILED } from '../app/texts';

interface Props {
  /** What went wrong before. */
  readonly failure?: string | undefined;
  /** Above the fields. */
  readonly children: ReactNode;
}

/** Asks for name and password, with the focus in the first field. */
export function LoginForm({ failure, children }: Props) {
  const { login } = useAuth();
  const [error, setError] = useState(failure);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    setBusy(true);
    setError(undefined);
    try {
      await login(textOf(data, 'username'), textOf(data, 'password'));
    } catch (refusal) {
      setError(refusal instanceof ApiError ? refusal.message : LOGIN_FAILED);
      setBusy(false);
    }
  };

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {children}
        {error !== undefined && <Alert color="red.9" variant="filled" role="alert" title={error} />}
        <TextInput
          label="Username"
          name="username"
          ref={field}
          autoComplete="username"
          autoCapitalize="none"
          required
          withAsterisk={false}
          size="md"
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          size="md"
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
        />
        <Button type="submit" size="md" loading={busy}>
          Log in
        </Button>
      </Stack>
    </form>
  );
}

function textOf(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
}

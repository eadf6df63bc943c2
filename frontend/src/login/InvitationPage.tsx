import { Alert, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { Answer } from '#shared/contract/schemas';
import { MIN_PASSWORD_CHARACTERS } from '#shared/rules/constants';
import { ApiError, call } from '../app/api';
import { useAuth } from '../app/auth';
import { LOGIN_FAILED } from '../app/texts';
import { LoginFrame, LoginHead } from './LoginFrame';

const NOT_LOADED = 'The link could not be checked. Try again.';

/** For invited or reset admins, by the single-use token after `#`. */
export function InvitationPage() {
  const [token] = useState(() => window.location.hash.slice(1));
  const [data, setData] = useState<Answer<'viewInvitation'>>();
  const [error, setError] = useState<ApiError>();
  useEffect(() => {
    if (token === '') return;
    const load = async () => {
      try {
        setData(await call('viewInvitation', { body: { token } }, { fallbackText: NOT_LOADED }));
      } catch (refusal) {
        setError(refusal instanceof ApiError ? refusal : new ApiError(NOT_LOADED, 0));
      }
    };
    void load();
  }, [token]);
  return (
    <LoginFrame title="Choose a password">
      <meta name="robots" content="noindex, nofollow, noarchive" />
      {data !== undefined && <PasswordForm token={token} kind={data.kind} username={data.username} />}
      {data === undefined && (token === '' || error !== undefined) && (
        <LoginHead title="This link does not work">
          <Text size="sm" mt="xs">
            {token === '' ? 'The address is incomplete. Copy the whole link.' : (error?.message ?? '')}
          </Text>
          {error !== undefined && error.status !== 404 && (
            <Button mt="md" variant="default" onClick={() => window.location.reload()}>
              Try again
            </Button>
          )}
        </LoginHead>
      )}
      {data === undefined && token !== '' && error === undefined && <Text role="status">Loading...</Text>}
    </LoginFrame>
  );
}

interface FormProps {
  readonly token: string;
  readonly kind: 'invite' | 'reset';
  readonly username: string;
}

function PasswordForm({ token, kind, username }: FormProps) {
  const { login } = useAuth();
  const [, navigate] = useLocation();
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const value = new FormData(event.currentTarget).get('password');
    const password = typeof value === 'string' ? value : '';
    if (password.length < MIN_PASSWORD_CHARACTERS) {
      setError(`Enter at least ${MIN_PASSWORD_CHARACTERS} characters`);
      return;
    }
    setBusy(true);
    setError(undefined);
    try {
      await login((options) => call('acceptInvitation', { body: { token, password } }, options));
      navigate('/dashboard', { replace: true });
    } catch (refusal) {
      setError(refusal instanceof ApiError ? refusal.message : LOGIN_FAILED);
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <LoginHead title={kind === 'invite' ? `Welcome, ${username}` : `A new password for ${username}`}>
          <Text c="dimmed" size="sm">
            Choose a password. You log in as {username} with it. This link works once.
          </Text>
        </LoginHead>
        {error !== undefined && <Alert color="red.9" variant="filled" role="alert" title={error} />}
        <input type="hidden" name="username" autoComplete="username" value={username} readOnly />
        <PasswordInput
          label="Password"
          name="password"
          description={`At least ${MIN_PASSWORD_CHARACTERS} characters; a few words are easy to remember`}
          autoComplete="new-password"
          required
          withAsterisk={false}
          size="md"
        />
        <Button type="submit" size="md" loading={busy}>
          Save and log in
        </Button>
      </Stack>
    </form>
  );
}

import { Alert, Button, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { Answer } from '#shared/contract/schemas';
import { MIN_PASSWORD_CHARACTERS } from '#shared/rules/constants';
import { ApiError, call } from '../app/api';
import { useAuth } from '../app/auth';
import { MantineRoot } from '../app/MantineRoot';
import { LOGIN_FAILED } from '../app/texts';
import classes from './LoginPage.module.css';

const NOT_LOADED = 'The link could not be checked. Try again.';

/** Where an invited or reset admin chooses a password, by the token behind the `#`, which works once. */
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
    <MantineRoot>
      <title>Choose a password · Lead Distribution</title>
      <meta name="robots" content="noindex, nofollow, noarchive" />
      <main className={classes.page}>
        <Paper className={classes.card} withBorder shadow="sm" p="xl" radius="lg">
          {data !== undefined && <PasswordForm token={token} kind={data.kind} username={data.username} />}
          {data === undefined && (token === '' || error !== undefined) && (
            <Head title="This link does not work">
              <Text size="sm" mt="xs">
                {token === '' ? 'The address is incomplete. Copy the whole link.' : (error?.message ?? '')}
              </Text>
              {error !== undefined && error.status !== 404 && (
                <Button mt="md" variant="default" onClick={() => window.location.reload()}>
                  Try again
                </Button>
              )}
            </Head>
          )}
          {data === undefined && token !== '' && error === undefined && <Text role="status">Loading...</Text>}
        </Paper>
      </main>
    </MantineRoot>
  );
}

function Head({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div>
      <img src="/favicon.svg" width={40} height={40} alt="" />
      <Title order={1} size="h2" mt="xs">
        {title}
      </Title>
      {children}
    </div>
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
        <Head title={kind === 'invite' ? `Welcome, ${username}` : `A new password for ${username}`}>
          <Text c="dimmed" size="sm">
            Choose a password. You log in as {username} with it. This link works once.
          </Text>
        </Head>
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

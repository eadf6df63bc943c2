import { Alert, Button, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../app/api';
import { useAuth } from '../app/auth';
import { MantineRoot } from '../app/MantineRoot';
import { LOGIN_FAILED } from '../app/texts';
import classes from './LoginPage.module.css';

export function LoginPage() {
  const { login, logoutError } = useAuth();
  const [error, setError] = useState(logoutError);
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
    } catch (failure) {
      setError(failure instanceof ApiError ? failure.message : LOGIN_FAILED);
      setBusy(false);
    }
  };

  return (
    <MantineRoot>
      <title>Log in · Lead Distribution</title>
      <main className={classes.page}>
        <Paper className={classes.card} withBorder shadow="sm" p="xl" radius="lg">
          <form onSubmit={submit}>
            <Stack gap="md">
              <div>
                <img src="/favicon.svg" width={40} height={40} alt="" />
                <Title order={1} size="h2" mt="xs">
                  Lead Distribution
                </Title>
                <Text c="dimmed" size="sm">
                  Log in to manage buyers, orders and leads.
                </Text>
              </div>
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
        </Paper>
      </main>
    </MantineRoot>
  );
}

function textOf(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
}

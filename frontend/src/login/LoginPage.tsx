import { Paper, Text, Title } from '@mantine/core';
import { useAuth } from '../app/auth';
import { MantineRoot } from '../app/MantineRoot';
import { LoginForm } from './LoginForm';
import classes from './LoginPage.module.css';

export function LoginPage() {
  const { logoutError } = useAuth();
  return (
    <MantineRoot>
      <title>Log in · Lead Distribution</title>
      <main className={classes.page}>
        <Paper className={classes.card} withBorder shadow="sm" p="xl" radius="lg">
          <LoginForm failure={logoutError}>
            <div>
              <img src="/favicon.svg" width={40} height={40} alt="" />
              <Title order={1} size="h2" mt="xs">
                Lead Distribution
              </Title>
              <Text c="dimmed" size="sm">
                Log in to manage buyers, orders and leads.
              </Text>
            </div>
          </LoginForm>
        </Paper>
      </main>
    </MantineRoot>
  );
}

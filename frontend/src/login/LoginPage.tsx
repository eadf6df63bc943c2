import { Text } from '@mantine/core';
import { useAuth } from '../app/auth';
import { LoginForm } from './LoginForm';
import { LoginFrame, LoginHead } from './LoginFrame';

export function LoginPage() {
  const { logoutError } = useAuth();
  return (
    <LoginFrame title="Log in">
      <LoginForm failure={logoutError}>
        <LoginHead title="Lead Distribution">
          <Text c="dimmed">Log in to manage buyers, orders and leads.</Text>
        </LoginHead>
      </LoginForm>
    </LoginFrame>
  );
}

import { useAuth } from '../app/auth';
import { Muted } from '../ui/PlainForm';
import { LoginForm } from './LoginForm';
import { LoginFrame, LoginHead } from './LoginFrame';

export function LoginPage() {
  const { logoutError } = useAuth();
  return (
    <LoginFrame title="Log in">
      <LoginForm failure={logoutError}>
        <LoginHead title="Lead Distribution">
          <Muted>Log in to manage buyers, orders and leads.</Muted>
        </LoginHead>
      </LoginForm>
    </LoginFrame>
  );
}

import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { MIN_PASSWORD_CHARACTERS } from '#shared/rules/constants';
import { ApiError, call } from '../app/api';
import { useAuth } from '../app/auth';
import { LOGIN_FAILED } from '../app/texts';
import { typedIn } from '../app/typed-in';
import { Muted, PlainButton, PlainError, PlainForm, PlainPasswordField } from '../ui/PlainForm';
import { LoginFrame, LoginHead } from './LoginFrame';

const NOT_LOADED = 'The link could not be checked. Try again.';

/** For invited or reset admins, by the single-use token after `#`. */
export function InvitationPage() {
  const [token] = useState(() => window.location.hash.slice(1));
  const { data, error } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call('viewInvitation', { body: { token } }, { fallbackText: NOT_LOADED }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retry: false,
  });
  return (
    <LoginFrame title="Choose a password">
      <meta name="robots" content="noindex, nofollow, noarchive" />
      {data !== undefined && <PasswordForm token={token} kind={data.kind} username={data.username} />}
      {data === undefined && (token === '' || error !== null) && (
        <LoginHead title="This link does not work">
          <p>{token === '' ? 'The address is incomplete. Copy the whole link.' : error?.message}</p>
          {error !== null && !(error instanceof ApiError && error.status === 404) && (
            <PlainButton look="plain" onClick={() => window.location.reload()}>
              Try again
            </PlainButton>
          )}
        </LoginHead>
      )}
      {data === undefined && token !== '' && error === null && <p role="status">Loading...</p>}
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
    const password = typedIn(event, 'password');
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
    <PlainForm onSubmit={submit}>
      <LoginHead title={kind === 'invite' ? `Welcome, ${username}` : `A new password for ${username}`}>
        <Muted>Choose a password. You log in as {username} with it. This link works once.</Muted>
      </LoginHead>
      <PlainError text={error} />
      <input type="hidden" name="username" autoComplete="username" value={username} readOnly />
      <PlainPasswordField
        label="Password"
        name="password"
        description={`At least ${MIN_PASSWORD_CHARACTERS} characters; a few words are easy to remember`}
        autoComplete="new-password"
      />
      <PlainButton type="submit" busy={busy}>
        Save and log in
      </PlainButton>
    </PlainForm>
  );
}

import { type FormEvent, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { ApiError, call } from '../app/api';
import { type LogIn, useAuth } from '../app/auth';
import { cancelPasskey, offersPasskeys, type PasskeyRequested, showPasskey } from '../app/passkeys';
import { LOGIN_FAILED } from '../app/texts';
import { typedIn } from '../app/typed-in';
import { lazyComponent } from '../ui/lazy-component';
import { PlainButton, PlainError, PlainField, PlainForm, PlainPasswordField } from '../ui/PlainForm';
import { textOfError } from './text-of-error';

const SecondFactor = lazyComponent(async () => (await import('./SecondFactor')).SecondFactor);

interface Props {
  readonly failure?: string | undefined;
  readonly children: ReactNode;
}

/** Challenges last five minutes. */
const CHALLENGE_RENEWED_AFTER_MS = 4 * 60_000;

const askLogin = () => call('beginPasskeyLogin', {}, { fallbackText: LOGIN_FAILED });

export function LoginForm({ failure, children }: Props) {
  const { login } = useAuth();
  const [error, setError] = useState(failure);
  const [busy, setBusy] = useState<'password' | 'passkey'>();
  const [second, setSecond] = useState<PasskeyRequested>();
  const field = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  usePasskeyAutofill(second === undefined, login, setError);

  const attempt = async (by: 'password' | 'passkey', work: () => Promise<PasskeyRequested | undefined>) => {
    setBusy(by);
    setError(undefined);
    try {
      setSecond(await work());
    } catch (refusal) {
      setError(textOfError(refusal));
      // A disabled button loses the focus.
      if (by === 'password') password.current?.select();
    }
    setBusy(undefined);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = { username: typedIn(event, 'username'), password: typedIn(event, 'password') };
    void attempt('password', () => login((options) => call('login', { body }, options)));
  };
  const byPasskey = () =>
    attempt('passkey', async () => {
      const body = await showPasskey(await askLogin());
      return body && login((options) => call('passkeyLogin', { body }, options));
    });

  if (second !== undefined)
    return (
      <Suspense fallback={children}>
        <SecondFactor
          asked={second}
          again={(why) => {
            setSecond(undefined);
            setError(why);
          }}
        >
          {children}
        </SecondFactor>
      </Suspense>
    );
  return (
    <PlainForm onSubmit={submit}>
      {children}
      <PlainError text={error} />
      <PlainField
        label="Username"
        name="username"
        ref={field}
        autoComplete="username webauthn"
        autoCapitalize="none"
      />
      <PlainPasswordField label="Password" name="password" ref={password} autoComplete="current-password" />
      <PlainButton type="submit" busy={busy === 'password'}>
        Log in
      </PlainButton>
      <PlainButton look="plain" busy={busy === 'passkey'} onClick={() => void byPasskey()}>
        Use a passkey
      </PlainButton>
    </PlainForm>
  );
}

/** Offers passkeys in the username field; silent without any. */
function usePasskeyAutofill(isOn: boolean, login: LogIn, failed: (text: string) => void): void {
  const latest = useRef({ login, failed });
  useEffect(() => {
    latest.current = { login, failed };
  });
  useEffect(() => {
    if (!isOn) return undefined;
    let left = false;
    const offer = async () => {
      try {
        if (!(await offersPasskeys())) return;
        const asked = await askLogin();
        const body = left ? undefined : await showPasskey(asked, true);
        if (body !== undefined)
          await latest.current.login((options) => call('passkeyLogin', { body }, options));
      } catch (refusal) {
        // Only a chosen passkey reports its failure.
        if (!left && refusal instanceof ApiError && refusal.status === 401)
          latest.current.failed(refusal.message);
      }
    };
    void offer();
    const renewal = window.setInterval(() => void offer(), CHALLENGE_RENEWED_AFTER_MS);
    return () => {
      left = true;
      window.clearInterval(renewal);
      cancelPasskey().catch(() => {});
    };
  }, [isOn]);
}

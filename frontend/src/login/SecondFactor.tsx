import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiError, call } from '../app/api';
import { useAuth } from '../app/auth';
import { type PasskeyRequested, showPasskey } from '../app/passkeys';
import { typedIn } from '../app/typed-in';
import { PlainButton, PlainError, PlainField, PlainForm } from '../ui/PlainForm';
import { textOfError } from './text-of-error';

interface Props {
  readonly asked: PasskeyRequested;
  /** @param why undefined if the admin chose to go back */
  readonly again: (why?: string) => void;
  readonly children: ReactNode;
}

export function SecondFactor({ asked, again, children }: Props) {
  const { login } = useAuth();
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState<'passkey' | 'code'>();
  const [typing, setTyping] = useState(false);
  const { ticket } = asked;
  const first = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => (typing ? field.current : first.current)?.focus(), [typing]);

  const attempt = async (by: 'passkey' | 'code', work: () => Promise<unknown>) => {
    setBusy(by);
    setError(undefined);
    try {
      await work();
    } catch (refusal) {
      // A wrong passkey uses up the challenge.
      const isOver = refusal instanceof ApiError && (by === 'passkey' || refusal.code === 'challenge_over');
      if (isOver) again(textOfError(refusal));
      else setError(textOfError(refusal));
    }
    setBusy(undefined);
  };
  const byPasskey = () =>
    attempt('passkey', async () => {
      const body = await showPasskey(asked);
      if (body !== undefined) await login((options) => call('finishLogin', { body }, options));
    });
  const byCode = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = { ticket, code: typedIn(event, 'code') };
    void attempt('code', () => login((options) => call('finishLogin', { body }, options)));
  };

  return (
    <PlainForm onSubmit={byCode}>
      {children}
      <p>Password accepted. Now use your passkey or a recovery code.</p>
      <PlainError text={error} />
      <PlainButton ref={first} busy={busy === 'passkey'} onClick={() => void byPasskey()}>
        Use your passkey
      </PlainButton>
      {typing ? (
        <>
          <PlainField
            label="Recovery code"
            name="code"
            ref={field}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={60}
          />
          <PlainButton type="submit" look="plain" busy={busy === 'code'}>
            Use the code
          </PlainButton>
        </>
      ) : (
        <PlainButton look="subtle" onClick={() => setTyping(true)}>
          Use a recovery code
        </PlainButton>
      )}
      <PlainButton look="subtle" onClick={() => again()}>
        Back
      </PlainButton>
    </PlainForm>
  );
}

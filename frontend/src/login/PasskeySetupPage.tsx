import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { ApiError, call } from '../app/api';
import { useAuth } from '../app/auth';
import { makePasskey } from '../app/passkeys';
import { RecoveryCodes } from '../app/RecoveryCodes';
import { LOGIN_FAILED } from '../app/texts';
import { typedIn } from '../app/typed-in';
import { Muted, PlainButton, PlainError, PlainField, PlainForm } from '../ui/PlainForm';
import { LoginFrame, LoginHead } from './LoginFrame';
import { textOfError } from './text-of-error';

const TOO_LATE = 'You logged in more than ten minutes ago. Log out and log in again.';

/** The only page for an admin without a required passkey. */
export function PasskeySetupPage() {
  const { entered, logout } = useAuth();
  const register = useMutation({
    mutationFn: async (name: string) => {
      const made = await makePasskey(await call('beginPasskey', {}, { fallbackText: LOGIN_FAILED }));
      return call('addPasskey', { body: { ...made, name } }, { fallbackText: LOGIN_FAILED });
    },
    onSuccess: ({ recovery_codes }) => {
      if (recovery_codes === null) entered();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    register.mutate(typedIn(event, 'name'));
  };
  const codes = register.data?.recovery_codes ?? [];
  return (
    <LoginFrame title="Register a passkey">
      {codes.length === 0 ? (
        <PlainForm onSubmit={submit}>
          <LoginHead title="Register a passkey">
            <Muted>Every admin needs a passkey here. It is stored on your device or on a security key.</Muted>
          </LoginHead>
          <PlainError text={register.error ? refusalOf(register.error) : undefined} />
          <PlainField
            label="Name of the passkey"
            name="name"
            description="To tell it apart from others, for example: Laptop"
            maxLength={60}
          />
          <PlainButton type="submit" busy={register.isPending}>
            Register
          </PlainButton>
          <PlainButton look="subtle" onClick={() => void logout()}>
            Log out
          </PlainButton>
        </PlainForm>
      ) : (
        <RecoveryCodes codes={codes} done={entered} />
      )}
    </LoginFrame>
  );
}

function refusalOf(error: Error): string {
  const isLate = error instanceof ApiError && error.code === 'reauthentication_required';
  return isLate ? TOO_LATE : textOfError(error);
}

import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, call } from '../app/api';
import { PlainButton, PlainField, PlainForm } from '../ui/PlainForm';
import classes from './LinkAccess.module.css';
import { errorText } from './use-leads-view';

/** Loaded only for protected links. */
const TEXT = {
  code: {
    title: 'Code eingeben',
    hint: (email: string) =>
      `Auf einem neuen Gerät brauchen Sie für diese Lead-Liste einen Code. Wir senden ihn per E-Mail an ${email}.`,
    send: (email: string) => `Code an ${email} senden`,
    sent: 'Der Code ist per E-Mail unterwegs. Er gilt zehn Minuten.',
    field: 'Code aus der E-Mail (8 Ziffern)',
    confirm: 'Liste öffnen',
    again: 'Neuen Code senden',
  },
  renewal: {
    hint: 'Ist Ihr Link abgelaufen? Wir senden einen neuen an die E-Mail-Adresse, die bei uns hinterlegt ist. Der bisherige Link funktioniert danach nicht mehr.',
    ask: 'Link erneuern',
  },
} as const;

interface CodeProps {
  readonly token: string;
  /** Masked. */
  readonly email: string;
  readonly opened: () => void;
}

export function LinkCode({ token, email, opened }: CodeProps) {
  const [sent, setSent] = useState(false);
  const [code, setCode] = useState('');
  const { isPending, error, mutate } = useMutation({ mutationFn: (ask: () => Promise<unknown>) => ask() });
  const send = () =>
    mutate(() => call('sendLinkCode', { params: { token } }), { onSuccess: () => setSent(true) });
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    mutate(() => call('confirmLinkCode', { params: { token }, body: { code } }), { onSuccess: opened });
  };
  return (
    <main className={classes.access}>
      <title>{TEXT.code.title}</title>
      <h1>{TEXT.code.title}</h1>
      {sent ? (
        <>
          <output>{TEXT.code.sent}</output>
          <PlainForm onSubmit={confirm}>
            <PlainField
              label={TEXT.code.field}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={20}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
            <PlainButton type="submit" busy={isPending}>
              {TEXT.code.confirm}
            </PlainButton>
            <PlainButton look="plain" busy={isPending} onClick={send}>
              {TEXT.code.again}
            </PlainButton>
          </PlainForm>
        </>
      ) : (
        <>
          <p>{TEXT.code.hint(email)}</p>
          <PlainButton busy={isPending} onClick={send}>
            {TEXT.code.send(email)}
          </PlainButton>
        </>
      )}
      <Failure error={error} />
    </main>
  );
}

export function NewLink({ token }: { readonly token: string }) {
  const { data, isPending, error, mutate } = useMutation({
    mutationFn: () => call('requestNewLink', { body: { token } }),
  });
  return (
    <>
      {data === undefined ? (
        <>
          <p>{TEXT.renewal.hint}</p>
          <PlainButton busy={isPending} onClick={() => mutate()}>
            {TEXT.renewal.ask}
          </PlainButton>
        </>
      ) : (
        <output>{data.message}</output>
      )}
      <Failure error={error} />
    </>
  );
}

function Failure({ error }: { readonly error: Error | null }) {
  if (error === null) return null;
  return (
    <p role="alert">{error instanceof ApiError && !error.isDefault ? error.message : errorText(error)}</p>
  );
}

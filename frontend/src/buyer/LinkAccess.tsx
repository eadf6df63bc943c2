import { type FormEvent, useState } from 'react';
import { ApiError, call } from '../app/api';
import classes from './LinkAccess.module.css';
import { errorText } from './use-leads-view';

/** Loaded only for protected links. */
const TEXT = {
  code: {
    title: 'Code eingeben',
    hint: (email: string) =>
      `Diese Lead-Liste öffnet sich auf einem neuen Gerät erst nach einem Code. Wir senden ihn per E-Mail an ${email}.`,
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
  const { busy, failure, run } = useCall();
  const send = () =>
    run(async () => {
      await call('sendLinkCode', { params: { token } });
      setSent(true);
    });
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      await call('confirmLinkCode', { params: { token }, body: { code } });
      opened();
    });
  };
  return (
    <main className={classes.access}>
      <title>{TEXT.code.title}</title>
      <h1>{TEXT.code.title}</h1>
      {sent ? (
        <>
          <output>{TEXT.code.sent}</output>
          <form onSubmit={confirm} className={classes.form}>
            <label htmlFor="link-code">{TEXT.code.field}</label>
            <input
              id="link-code"
              required
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={20}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
            <button type="submit" className={classes.primary} disabled={busy}>
              {TEXT.code.confirm}
            </button>
          </form>
          <button type="button" className={classes.secondary} disabled={busy} onClick={() => void send()}>
            {TEXT.code.again}
          </button>
        </>
      ) : (
        <>
          <p>{TEXT.code.hint(email)}</p>
          <button type="button" className={classes.primary} disabled={busy} onClick={() => void send()}>
            {TEXT.code.send(email)}
          </button>
        </>
      )}
      {failure !== undefined && <p role="alert">{failure}</p>}
    </main>
  );
}

export function NewLink({ token }: { readonly token: string }) {
  const [answer, setAnswer] = useState<string>();
  const { busy, failure, run } = useCall();
  const ask = () => run(async () => setAnswer((await call('requestNewLink', { body: { token } })).message));
  return (
    <>
      {answer === undefined ? (
        <>
          <p>{TEXT.renewal.hint}</p>
          <button type="button" className={classes.primary} disabled={busy} onClick={() => void ask()}>
            {TEXT.renewal.ask}
          </button>
        </>
      ) : (
        <output>{answer}</output>
      )}
      {failure !== undefined && <p role="alert">{failure}</p>}
    </>
  );
}

function useCall() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setFailure(error instanceof ApiError && !error.isDefault ? error.message : errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return { busy, failure, run };
}

import { type FormEvent, useId, useState } from 'react';
import { call } from '../app/api';
import { Dialog } from './Dialog';
import dialog from './dialog.module.css';
import { errorText } from './dialog-error';
import page from './page.module.css';
import classes from './Reorder.module.css';
import { useViewUpdates } from './use-leads-view';
import type { LeadsView } from './view';

/** Loaded only if the order can be followed by another. */
const TEXT = {
  title: 'Nachbestellung',
  possible: 'Ihre Bestellung ist bald vollständig geliefert.',
  ask: 'Nachbestellen',
  limit: 'Anzahl Leads',
  hint: 'Wir prüfen Ihre Nachbestellung. Die nächste Bestellung beginnt, sobald diese vollständig geliefert ist; den Link dazu erhalten Sie per E-Mail.',
  wrongLimit: 'Bitte geben Sie eine ganze Zahl ab 1 ein.',
  send: 'Nachbestellung senden',
  sending: 'Wird gesendet …',
  cancel: 'Abbrechen',
  failed: 'Die Nachbestellung konnte nicht gesendet werden.',
  leads: (count: number) => (count === 1 ? '1 Lead' : `${count} Leads`),
} as const;
const STATES = {
  open: (leads: string) => `Ihre Nachbestellung über ${leads} wird geprüft.`,
  confirmed: (leads: string) =>
    `Ihre Nachbestellung über ${leads} ist bestätigt und beginnt, sobald diese Bestellung vollständig geliefert ist.`,
  declined: (leads: string) =>
    `Ihre Nachbestellung über ${leads} wurde nicht bestätigt. Sie können am nächsten Tag erneut anfragen.`,
} as const;

interface Props {
  readonly token: string;
  readonly reorder: NonNullable<LeadsView['reorder']>;
}

export function Reorder({ token, reorder: { state, lead_limit } }: Props) {
  const [asking, setAsking] = useState(false);
  return (
    <section data-screen className={classes.panel} aria-label={TEXT.title}>
      <p role="status">{state === 'possible' ? TEXT.possible : STATES[state](TEXT.leads(lead_limit))}</p>
      {(state === 'possible' || state === 'declined') && (
        <button type="button" className={page.tool} onClick={() => setAsking(true)}>
          {TEXT.ask}
        </button>
      )}
      {asking && <ReorderDialog token={token} limit={lead_limit} onClose={() => setAsking(false)} />}
    </section>
  );
}

function ReorderDialog({ token, limit, onClose }: { token: string; limit: number; onClose: () => void }) {
  const { refresh } = useViewUpdates(token);
  const [value, setValue] = useState(String(limit));
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const id = useId();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!/^[1-9]\d{0,5}$/.test(value.trim())) return setError(TEXT.wrongLimit);
    setBusy(true);
    setError(undefined);
    try {
      await call(
        'requestReorder',
        { params: { token }, body: { lead_limit: Number(value) } },
        { fallbackText: TEXT.failed },
      );
      await refresh();
      onClose();
    } catch (failure) {
      setBusy(false);
      setError(errorText(failure));
    }
  };
  return (
    <Dialog title={TEXT.ask} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate className={dialog.form}>
        <div className={dialog.field}>
          <label htmlFor={`${id}limit`}>{TEXT.limit}</label>
          <input
            id={`${id}limit`}
            inputMode="numeric"
            required
            value={value}
            aria-invalid={error === TEXT.wrongLimit}
            aria-describedby={`${id}hint ${id}error`}
            onChange={(event) => {
              setValue(event.target.value);
              setError(undefined);
            }}
          />
          <p id={`${id}hint`} className={dialog.hint}>
            {TEXT.hint}
          </p>
        </div>
        <p id={`${id}error`} role="alert" className={dialog.error}>
          {error}
        </p>
        <footer className={dialog.buttons}>
          <button type="button" className={dialog.plain} onClick={onClose}>
            {TEXT.cancel}
          </button>
          <button type="submit" className={dialog.primary} disabled={busy}>
            {busy ? TEXT.sending : TEXT.send}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type InputHTMLAttributes, useId, useState } from 'react';
import type { Sent } from '#shared/contract/schemas';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import { INVESTMENT_CHOICES_EURO, SALUTATIONS } from '#shared/rules/constants';
import { formatEuroShort, formatNumber } from '#shared/rules/formats';
import { ApiError, call } from '../app/api';
import { Dialog } from './Dialog';
import classes from './dialog.module.css';
import { errorText } from './dialog-error';
import { type Conflict, LeadConflicts } from './LeadConflicts';
import {
  formOf,
  LEAD_FORM_FIELDS,
  type LeadForm,
  type LeadFormErrors,
  only,
  readLeadForm,
  refusedFields,
  type StoredLead,
  salutationOf,
} from './lead-form';
import { de } from './messages';

const LABELS: Readonly<Record<keyof LeadForm, string>> = {
  anrede: de.admin.salutation,
  vorname: de.admin.firstName,
  nachname: de.admin.lastName,
  email: de.lead.email,
  telefon: de.lead.phone,
  anlagebetrag: de.admin.amount,
  laufzeit: de.admin.term,
};

interface Props {
  readonly lead: ViewedLead;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Corrects the data of a delivered lead; for admins. */
export function EditLeadDialog({ lead, onClose, onSaved }: Props) {
  const [base, setBase] = useState<StoredLead>(lead);
  const [form, setForm] = useState(() => formOf(lead));
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([]);
  const [errors, setErrors] = useState<LeadFormErrors>({});
  const [failure, setFailure] = useState<string>();
  const id = useId();

  const save = useMutation({
    mutationFn: (body: Sent<'updateLead', 'body'>) =>
      call('updateLead', { params: { leadId: lead.lead_id }, body }, { fallbackText: de.failed.updateLead }),
    onSuccess: onSaved,
    onError: async (error) => {
      if (error instanceof ApiError && error.code === 'edited_meanwhile') {
        await showConflicts(Object.keys(error.fields));
        return;
      }
      if (error instanceof ApiError) setErrors(refusedFields(error.fields));
      fail(error);
    },
  });
  const fail = (error: unknown) => {
    setFailure(errorText(error));
    window.alert(errorText(error));
  };

  const showConflicts = async (names: readonly string[]) => {
    try {
      const stored = (await call('getLead', { params: { leadId: lead.lead_id } })).lead;
      const theirs = formOf(stored);
      setBase({ ...base, ...only<StoredLead>(stored, names) });
      setConflicts(
        LEAD_FORM_FIELDS.filter((name) => names.includes(name)).map((name) => ({
          name,
          label: LABELS[name],
          mine: form[name],
          theirs: theirs[name],
        })),
      );
    } catch (error) {
      fail(error);
    }
  };
  const decided = (name: string) => setConflicts((open) => open.filter((conflict) => conflict.name !== name));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending || conflicts.length > 0) return;
    const read = readLeadForm(form, base);
    setFailure(undefined);
    setErrors(read.ok ? {} : read.errors);
    if (read.ok) save.mutate(read.body);
  };

  const change = (field: keyof LeadForm) => (value: string) => {
    setForm((before) => ({ ...before, [field]: value }));
    setErrors((before) => ({ ...before, [field]: undefined }));
  };
  const field = (name: keyof LeadForm) => ({
    name,
    value: form[name],
    error: errors[name],
    onValue: change(name),
  });

  return (
    <Dialog title={de.admin.editLead(lead.display_id)} onClose={onClose}>
      <form onSubmit={submit} noValidate className={classes.form}>
        <div className={classes.field}>
          <label htmlFor={`${id}anrede`}>{de.admin.salutation}</label>
          <select
            id={`${id}anrede`}
            name="anrede"
            value={form.anrede}
            onChange={(event) => setForm({ ...form, anrede: salutationOf(event.target.value) })}
          >
            {SALUTATIONS.map((salutation) => (
              <option key={salutation}>{salutation}</option>
            ))}
          </select>
        </div>
        <div className={classes.pair}>
          <Field label={de.admin.firstName} {...field('vorname')} maxLength={100} />
          <Field label={de.admin.lastName} {...field('nachname')} maxLength={100} />
        </div>
        <Field label={de.lead.email} {...field('email')} type="email" maxLength={254} />
        <Field label={de.lead.phone} {...field('telefon')} type="tel" maxLength={50} />
        <div className={classes.pair}>
          <Field label={de.admin.amount} {...field('anlagebetrag')} inputMode="decimal" maxLength={20} />
          <Field label={de.admin.term} {...field('laufzeit')} inputMode="numeric" maxLength={4} />
        </div>
        <fieldset className={classes.choices}>
          <legend>{de.admin.amountChoices}</legend>
          {INVESTMENT_CHOICES_EURO.map((amount) => (
            <button
              key={amount}
              type="button"
              className={classes.choice}
              aria-pressed={form.anlagebetrag === formatNumber(amount)}
              onClick={() => change('anlagebetrag')(formatNumber(amount))}
            >
              {formatEuroShort(amount)}
            </button>
          ))}
        </fieldset>
        <p role="alert" className={classes.error}>
          {failure}
        </p>
        {conflicts.length > 0 && (
          <LeadConflicts
            conflicts={conflicts}
            keepMine={decided}
            takeTheirs={(name) => {
              setForm({ ...form, ...only(formOf(base), [name]) });
              decided(name);
            }}
          />
        )}
        <footer className={classes.buttons}>
          <button type="button" className={classes.plain} onClick={onClose}>
            {de.dialog.cancel}
          </button>
          <button type="submit" className={classes.primary} disabled={save.isPending || conflicts.length > 0}>
            {de.admin.save}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly error: string | undefined;
  readonly onValue: (value: string) => void;
}

function Field({ label, error, onValue, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        required
        autoComplete="off"
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}error`}
        onChange={(event) => onValue(event.target.value)}
      />
      {error !== undefined && (
        <p id={`${id}error`} className={classes.error}>
          {error}
        </p>
      )}
    </div>
  );
}

import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type InputHTMLAttributes, useId, useState } from 'react';
import { INVESTMENT_CHOICES_EURO, SALUTATIONS } from '#shared/contract/constants';
import type { Sent } from '#shared/contract/schemas';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import { formatEuroShort, formatNumber } from '#shared/rules/formats';
import { ApiError, call } from '../app/api';
import { Dialog } from './Dialog';
import classes from './dialog.module.css';
import { errorText } from './dialog-error';
import {
  formOf,
  type LeadForm,
  type LeadFormErrors,
  readLeadForm,
  refusedFields,
  salutationOf,
} from './lead-form';
import { de } from './messages';

interface Props {
  readonly lead: ViewedLead;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Corrects the data of a delivered lead; for admins. */
export function EditLeadDialog({ lead, onClose, onSaved }: Props) {
  const [form, setForm] = useState(() => formOf(lead));
  const [errors, setErrors] = useState<LeadFormErrors>({});
  const [failure, setFailure] = useState<string>();
  const id = useId();

  const save = useMutation({
    mutationFn: (body: Sent<'updateLead', 'body'>) =>
      call('updateLead', { params: { leadId: lead.lead_id }, body }, { fallbackText: de.failed.updateLead }),
    onSuccess: onSaved,
    onError: (error) => {
      if (error instanceof ApiError) setErrors(refusedFields(error.fields));
      setFailure(errorText(error));
      window.alert(errorText(error));
    },
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    const read = readLeadForm(form);
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
        <footer className={classes.buttons}>
          <button type="button" className={classes.plain} onClick={onClose}>
            {de.dialog.cancel}
          </button>
          <button type="submit" className={classes.primary} disabled={save.isPending}>
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

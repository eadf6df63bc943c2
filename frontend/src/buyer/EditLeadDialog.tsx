import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { Sent } from '#shared/contract/schemas';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import { INVESTMENT_CHOICES_EURO, SALUTATIONS } from '#shared/rules/constants';
import { formatEuroShort, formatNumber } from '#shared/rules/formats';
import {
  EURO_FIELDS,
  inputAttributes,
  isOptional,
  labelOf,
  PERSON,
  PERSON_FIELDS,
  type PersonField,
} from '#shared/rules/lead-fields';
import { ApiError, call } from '../app/api';
import { Dialog } from './Dialog';
import classes from './dialog.module.css';
import { errorText } from './dialog-error';
import { type Conflict, LeadConflicts } from './LeadConflicts';
import {
  formOf,
  type LeadForm,
  type LeadFormErrors,
  only,
  readLeadForm,
  refusedFields,
  type StoredLead,
  salutationOf,
} from './lead-form';
import { de } from './messages';

const NAME = ['vorname', 'nachname'] as const;
const TERMS = ['anlagebetrag', 'laufzeit'] as const;
const PLACED = new Set<PersonField>(['anrede', ...NAME, ...TERMS]);
const OTHERS = PERSON_FIELDS.filter((name) => !PLACED.has(name));

interface Props {
  readonly lead: ViewedLead;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** For admins. */
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
        PERSON_FIELDS.filter((name) => names.includes(name)).map((name) => ({
          name,
          label: labelOf(name, 'de'),
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
  const field = (name: PersonField) => (
    <Field key={name} of={name} value={form[name]} error={errors[name]} onValue={change(name)} />
  );

  return (
    <Dialog title={de.admin.editLead(lead.display_id)} onClose={onClose}>
      <form onSubmit={submit} noValidate className={classes.form}>
        <div className={classes.field}>
          <label htmlFor={`${id}anrede`}>{labelOf('anrede', 'de')}</label>
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
        <div className={classes.pair}>{NAME.map(field)}</div>
        {OTHERS.map(field)}
        <div className={classes.pair}>{TERMS.map(field)}</div>
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

interface FieldProps {
  readonly of: PersonField;
  readonly value: string;
  readonly error: string | undefined;
  readonly onValue: (value: string) => void;
}

function Field({ of, value, error, onValue }: FieldProps) {
  const id = useId();
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{labelOf(of, 'de')}</label>
      <input
        maxLength={EURO_FIELDS.has(of) ? 20 : 4}
        {...inputAttributes(PERSON[of])}
        id={id}
        name={of}
        value={value}
        required={!isOptional(PERSON[of])}
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

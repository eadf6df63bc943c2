import { Alert, Button, Group, NativeSelect, Paper, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Suspense } from 'react';
import { LEAD_LABELS } from '#shared/rules/field-labels';
import { parseGermanNumber } from '#shared/rules/formats';
import {
  EURO_FIELDS,
  inputAttributes,
  LEAD_FIELDS,
  NUMBER_FIELDS,
  ORIGIN,
  ORIGIN_FIELDS,
  record,
} from '#shared/rules/lead-fields';
import { pendingReasonText } from '#shared/rules/reasons';
import { lazyComponent } from '../../ui/lazy-component';
import { isActiveBuyer, useBuyers } from '../data/buyers';
import { useCreateLead } from '../data/leads';
import { INVALID } from '../invalid-texts';
import { AssignedAlert } from '../lead/AssignedAlert';
import { LeadFields } from '../lead/LeadFields';
import { type LeadValues, leadChangeOf, requiredTexts } from '../lead/lead-form';
import { errorText, useUnsaved } from '../notifications';
import { OUTCOME } from '../texts';
import { Fold } from '../ui/Fold';
import { hasError } from '../ui/field-errors';
import { fieldsOf, focusFirstError, sanitise, showFieldErrors } from '../ui/form';
import { NotSaved } from '../ui/NotSaved';
import { useUnsavedChangesWarning } from '../ui/unsaved-changes';
import { type ConsentValues, consentOf, isGiven, missingIn, NO_CONSENT } from './consent-values';

type Values = LeadValues &
  Record<(typeof ORIGIN_FIELDS)[number] | 'buyer_id', string> & { consent: ConsentValues };

const EMPTY: Values = {
  ...record([...LEAD_FIELDS, 'buyer_id'], () => ''),
  anrede: 'Herr',
  consent: NO_CONSENT,
};

const ConsentFields = lazyComponent(async () => (await import('./ConsentFields')).ConsentFields);

export function CreateLeadPage() {
  const buyers = useBuyers();
  const create = useCreateLead();
  const unsaved = useUnsaved();
  const form = useForm<Values>({ initialValues: EMPTY, validate });
  useUnsavedChangesWarning(form.isDirty());

  const submit = (values: Values) =>
    create.mutate(
      {
        body: {
          ...leadChangeOf(values),
          ...record(NUMBER_FIELDS, (name) => {
            const value = parseGermanNumber(values[name]) ?? 0;
            return EURO_FIELDS.has(name) ? value : Math.trunc(value);
          }),
          ...record(ORIGIN_FIELDS, (name) => sanitise(values[name])),
          buyer_id: values.buyer_id,
          ...(isGiven(values.consent) && { consent: consentOf(values.consent) }),
        },
      },
      {
        onSuccess: () => form.reset(),
        onError: (error) => showFieldErrors(form, error),
      },
    );

  return (
    <Stack maw={760} gap="md">
      {create.data && (
        <div key={create.data.lead_id} ref={bringIntoView}>
          <Outcome answer={create.data} />
        </div>
      )}
      <Paper withBorder p="lg">
        <form onSubmit={form.onSubmit(submit, focusFirstError)} noValidate>
          <Stack gap="md">
            <NativeSelect
              label="Buyer"
              description="Leave empty for automatic assignment by probability."
              error={buyers.error ? errorText(buyers.error) : undefined}
              data={[
                { value: '', label: '-- Automatic Assignment --' },
                ...(buyers.data ?? []).filter(isActiveBuyer).map((buyer) => ({
                  value: buyer.buyer_id,
                  label: `${buyer.buyer_id} - ${buyer.buyer_email} (${buyer.leads_received}/${buyer.lead_limit})`,
                })),
              ]}
              {...form.getInputProps('buyer_id')}
            />
            <LeadFields values={form.values} field={fieldsOf(form, LEAD_LABELS)}>
              {ORIGIN_FIELDS.map((name) => (
                <TextInput
                  key={name}
                  label={ORIGIN[name].label.en}
                  placeholder="Optional"
                  {...inputAttributes(ORIGIN[name])}
                  {...form.getInputProps(name)}
                />
              ))}
            </LeadFields>
            <Fold title="Consent" summary="Optional" isWrong={hasError(form.errors, 'consent')}>
              <Suspense fallback={null}>
                <ConsentFields form={form} />
              </Suspense>
            </Fold>
            {unsaved !== undefined && <NotSaved text={unsaved} />}
            <Group justify="flex-end">
              <Button type="submit" loading={create.isPending}>
                Submit Lead
              </Button>
            </Group>
          </Stack>
        </form>
      </Paper>
    </Stack>
  );
}

/** On a phone the submit button is a screen below the result. */
function bringIntoView(outcome: HTMLElement | null) {
  outcome?.scrollIntoView({ block: 'center' });
}

function Outcome({ answer }: { answer: NonNullable<ReturnType<typeof useCreateLead>['data']> }) {
  if (answer.status === 'assigned')
    return <AssignedAlert buyer={answer.buyer ?? ''} link={answer.excel_link ?? null} />;
  return (
    <Alert color="yellow" role="alert" title={OUTCOME.ineligible}>
      {answer.reason ? `${pendingReasonText(answer.reason)}. ` : ''}It is held as a pending lead.
    </Alert>
  );
}

/** Required amounts; text that is not a number is sent as 0. */
function validate(values: Values) {
  const errors = { ...requiredTexts(values), ...(isGiven(values.consent) && missingIn(values.consent)) };
  for (const name of NUMBER_FIELDS)
    if (values[name].trim() === '') errors[name] = INVALID.required(LEAD_LABELS[name]);
  return errors;
}

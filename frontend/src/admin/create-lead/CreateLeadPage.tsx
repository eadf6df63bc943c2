import { Alert, Button, Group, NativeSelect, Paper, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { LEAD_LABELS } from '#shared/rules/field-labels';
import { parseGermanNumber } from '#shared/rules/formats';
import { pendingReasonText } from '#shared/rules/reasons';
import { isActiveBuyer, useBuyers } from '../data/buyers';
import { useCreateLead } from '../data/leads';
import { INVALID } from '../invalid-texts';
import { AssignedAlert } from '../lead/AssignedAlert';
import { LeadFields } from '../lead/LeadFields';
import { type LeadValues, requiredTexts, sanitisedTexts } from '../lead/lead-form';
import { errorText } from '../notifications';
import { OUTCOME } from '../texts';
import { fieldsOf, focusFirstError, sanitise, showFieldErrors } from '../ui/form';
import { useUnsavedChangesWarning } from '../ui/unsaved-changes';

interface Values extends LeadValues {
  buyer_id: string;
  clickId: string;
  src: string;
}

const EMPTY: Values = {
  buyer_id: '',
  anrede: 'Herr',
  vorname: '',
  nachname: '',
  email: '',
  telefon: '',
  anlagebetrag: '',
  laufzeit: '',
  clickId: '',
  src: '',
};

export function CreateLeadPage() {
  const buyers = useBuyers();
  const create = useCreateLead();
  const form = useForm<Values>({ initialValues: EMPTY, validate });
  useUnsavedChangesWarning(form.isDirty());

  const submit = (values: Values) =>
    create.mutate(
      {
        body: {
          ...sanitisedTexts(values),
          anlagebetrag: parseGermanNumber(values.anlagebetrag) ?? 0,
          laufzeit: Math.trunc(parseGermanNumber(values.laufzeit) ?? 0),
          clickId: sanitise(values.clickId),
          src: sanitise(values.src),
          buyer_id: values.buyer_id,
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
        <div key={create.data.lead_id} ref={bringIntoSight}>
          <Outcome answer={create.data} />
        </div>
      )}
      <Paper withBorder p="lg" radius="md">
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
              <TextInput
                label="Click ID"
                placeholder="Optional"
                maxLength={200}
                {...form.getInputProps('clickId')}
              />
              <TextInput
                label="Source"
                placeholder="Optional"
                maxLength={200}
                {...form.getInputProps('src')}
              />
            </LeadFields>
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

/** On a phone the button that was pressed stands a screen below the outcome. */
function bringIntoSight(outcome: HTMLElement | null) {
  outcome?.scrollIntoView({ block: 'center' });
}

function Outcome({ answer }: { answer: NonNullable<ReturnType<typeof useCreateLead>['data']> }) {
  if (answer.status === 'assigned')
    return <AssignedAlert buyer={answer.buyer ?? ''} link={answer.excel_link ?? null} />;
  return (
    <Alert color="yellow" variant="outline" role="alert" title={OUTCOME.ineligible}>
      {answer.reason ? `${pendingReasonText(answer.reason)}. ` : ''}It waits among the pending leads.
    </Alert>
  );
}

/** The amounts must be there; what is no number is sent as 0. */
function validate(values: Values) {
  const errors = requiredTexts(values);
  if (values.anlagebetrag.trim() === '') errors.anlagebetrag = INVALID.required(LEAD_LABELS.anlagebetrag);
  if (values.laufzeit.trim() === '') errors.laufzeit = INVALID.required(LEAD_LABELS.laufzeit);
  return errors;
}

import { Alert, NativeSelect, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { LEAD_LABELS } from '#shared/rules/field-labels';
import { typedPerson } from '#shared/rules/lead-fields';
import { isActiveBuyer, useBuyers } from '../data/buyers';
import { loadLead } from '../data/leads';
import { useApiMutation } from '../data/mutation';
import { type DialogInput, useDialogs } from '../dialogs/dialogs';
import { INVALID } from '../invalid-texts';
import { errorText } from '../notifications';
import { EditModal } from '../ui/EditModal';
import { useEdit } from '../ui/edit';
import { FormModal } from '../ui/FormModal';
import { fieldsOf } from '../ui/form';
import { LeadFields } from './LeadFields';
import { type LeadValues, leadChangeOf, validateLead } from './lead-form';

export function EditLeadDialog({ lead, close }: DialogInput<'edit-lead'>) {
  const form = useForm<LeadValues>({ initialValues: typedPerson(lead), validate: validateLead });
  return (
    <EditModal
      title="Edit Lead"
      action="Save Changes"
      gap="lg"
      form={form}
      load={async () => typedPerson(await loadLead(lead.lead_id))}
      labels={LEAD_LABELS}
      requestOf={leadChangeOf}
      inputOf={(body) => ({ params: { leadId: lead.lead_id }, body })}
      write={useApiMutation('updateLead')}
      close={close}
    >
      <LeadFields values={form.values} field={fieldsOf(form, LEAD_LABELS)} />
    </EditModal>
  );
}

export function AssignLeadDialog({ lead, close }: DialogInput<'assign-lead'>) {
  const assign = useApiMutation('assignPendingLead', { quiet: true });
  const buyers = useBuyers();
  const dialogs = useDialogs();
  const form = useForm<LeadValues & { buyer_id: string }>({
    initialValues: { ...typedPerson(lead), buyer_id: lead.buyer_id ?? '' },
    validate: (values) => ({
      ...validateLead(values),
      ...(values.buyer_id === '' && { buyer_id: INVALID.buyer }),
    }),
  });
  const edit = useEdit({
    form,
    load: async () => ({
      ...typedPerson(await loadLead(lead.lead_id)),
      buyer_id: form.getValues().buyer_id,
    }),
    labels: LEAD_LABELS,
  });
  const open = (buyers.data ?? []).filter(isActiveBuyer);

  const save = (values: LeadValues & { buyer_id: string }) =>
    assign.mutate(
      {
        params: { leadId: lead.lead_id },
        body: { ...edit.changes(leadChangeOf), buyer_id: values.buyer_id },
      },
      {
        onSuccess: ({ buyer, excel_link }) => {
          close();
          dialogs.open('assigned', { buyer, link: excel_link });
        },
        onError: edit.refused,
      },
    );

  return (
    <FormModal
      title="Edit & Assign Lead"
      close={close}
      form={form}
      submit={save}
      write={assign}
      edit={edit}
      action="Assign Lead"
    >
      <Alert color="blue" title="Why this lead is pending">
        {lead.reason_text}
      </Alert>
      <NativeSelect
        label="Buyer"
        required
        data-autofocus
        description="An admin can assign regardless of probability, minimum investment and manual review, but not beyond the order’s limit or without a consent that the buyer requires."
        data={[
          { value: '', label: '-- Select a buyer --' },
          ...open.map((buyer) => ({
            value: buyer.buyer_id,
            label: `${buyer.buyer_id} - ${buyer.buyer_email} (${buyer.leads_received}/${buyer.lead_limit})`,
          })),
        ]}
        {...form.getInputProps('buyer_id')}
      />
      {buyers.error && <Text c="var(--mantine-color-error)">{errorText(buyers.error)}</Text>}
      <LeadFields values={form.values} field={fieldsOf(form, LEAD_LABELS)} />
    </FormModal>
  );
}

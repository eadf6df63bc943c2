import { Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { PUSH_MACROS, unknownMacros } from '#shared/rules/macros';
import { useCreatedOnce } from '../data/created-once';
import { useApiMutation } from '../data/mutation';
import { credentialsQuery, loadPushTemplate, usePushTemplate } from '../data/settings';
import type { DialogInput } from '../dialogs/dialogs';
import { INVALID } from '../invalid-texts';
import { AppModal } from '../ui/AppModal';
import { EditModal } from '../ui/EditModal';

import { FormModal } from '../ui/FormModal';
import { showFieldErrors } from '../ui/form';
import { MONOSPACE } from '../ui/monospace';
import { ListSkeleton, QueryResult } from '../ui/states';
import { MacroList } from './MacroList';

export function AddCredentialsDialog({ close }: DialogInput<'push-credentials'>) {
  const around = useCreatedOnce('createPushoverCredential', credentialsQuery, (all) =>
    all.map(({ id }) => id),
  );
  const add = useApiMutation('createPushoverCredential', { around });
  const form = useForm({
    initialValues: { user_key: '', app_key: '', notify_lead_assignment: true, notify_lead_claims: true },
    validate: {
      user_key: (value) => (value.trim() === '' ? INVALID.required('User key') : null),
      app_key: (value) => (value.trim() === '' ? INVALID.required('App key') : null),
    },
  });
  const submit = (body: typeof form.values) =>
    add.mutate({ body }, { onSuccess: close, onError: (error) => showFieldErrors(form, error) });
  return (
    <FormModal
      title="Add Credentials"
      size="md"
      close={close}
      form={form}
      submit={submit}
      write={add}
      action="Add Credentials"
    >
      <TextInput
        label="User Key"
        required
        data-autofocus
        autoComplete="off"
        description="30 letters and digits, from the Pushover dashboard"
        {...form.getInputProps('user_key')}
      />
      <TextInput label="App Key" required autoComplete="off" {...form.getInputProps('app_key')} />
      <Switch label="Notify Leads" {...form.getInputProps('notify_lead_assignment', { type: 'checkbox' })} />
      <Switch label="Notify Claims" {...form.getInputProps('notify_lead_claims', { type: 'checkbox' })} />
    </FormModal>
  );
}

export function PushTemplateDialog({ close }: DialogInput<'push-template'>) {
  const stored = usePushTemplate();
  // The form keeps the first loaded text. A later one is another admin's, and saving compares the two.
  return stored.data === undefined ? (
    <AppModal title="Edit Template" close={close} dirty={false}>
      <QueryResult query={stored} skeleton={<ListSkeleton rows={4} />} what="The template">
        {() => null}
      </QueryResult>
    </AppModal>
  ) : (
    <PushTemplateForm stored={stored.data.template} close={close} />
  );
}

function PushTemplateForm({ stored, close }: { readonly stored: string; readonly close: () => void }) {
  const form = useForm({
    initialValues: { template: stored },
    validate: {
      template: (value) => {
        const [unknown] = unknownMacros(value, PUSH_MACROS);
        if (value.trim() === '') return INVALID.required('Template');
        return unknown === undefined ? null : `Unknown macro $$${unknown}$$`;
      },
    },
  });
  return (
    <EditModal
      title="Edit Template"
      action="Save Template"
      form={form}
      load={loadPushTemplate}
      labels={{ template: 'Notification text' }}
      requestOf={(values) => values}
      inputOf={({ expected }) => ({ body: { ...form.getValues(), expected } })}
      write={useApiMutation('savePushoverTemplate')}
      close={close}
    >
      <Textarea
        label="Notification text"
        styles={MONOSPACE}
        rows={10}
        data-autofocus
        {...form.getInputProps('template')}
      />
      <MacroList label="Placeholders:" macros={PUSH_MACROS} />
    </EditModal>
  );
}

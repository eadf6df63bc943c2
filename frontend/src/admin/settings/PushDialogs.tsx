import { Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { PUSH_MACROS, unknownMacros } from '#shared/rules/macros';
import {
  loadPushTemplate,
  useAddPushCredential,
  usePushTemplate,
  useSavePushTemplate,
} from '../data/settings';
import { INVALID } from '../invalid-texts';
import { AppModal } from '../ui/AppModal';
import { EditButtons, useEdit } from '../ui/edit';
import { FormButtons } from '../ui/FormButtons';
import { focusFirstError, showFieldErrors } from '../ui/form';
import { ListSkeleton, QueryResult } from '../ui/states';
import { MacroList } from './MacroList';
import classes from './settings.module.css';

interface Props {
  readonly close: () => void;
}

export function AddCredentialsDialog({ close }: Props) {
  const add = useAddPushCredential();
  const form = useForm({
    initialValues: { user_key: '', app_key: '', notify_lead_assignment: true, notify_lead_claims: true },
    validate: {
      user_key: (value) => (value.trim() === '' ? INVALID.required('User key') : null),
      app_key: (value) => (value.trim() === '' ? INVALID.required('App key') : null),
    },
  });
  return (
    <AppModal title="Add Credentials" close={close} size="md" dirty={form.isDirty() && !add.isSuccess}>
      <form
        noValidate
        onSubmit={form.onSubmit(
          (values) =>
            add.mutate(
              { body: values },
              {
                onSuccess: close,
                onError: (error) => showFieldErrors(form, error),
              },
            ),
          focusFirstError,
        )}
      >
        <Stack>
          <TextInput
            label="User Key"
            required
            data-autofocus
            autoComplete="off"
            description="30 letters and digits, from the Pushover dashboard"
            {...form.getInputProps('user_key')}
          />
          <TextInput label="App Key" required autoComplete="off" {...form.getInputProps('app_key')} />
          <Switch
            label="Notify Leads"
            {...form.getInputProps('notify_lead_assignment', { type: 'checkbox' })}
          />
          <Switch label="Notify Claims" {...form.getInputProps('notify_lead_claims', { type: 'checkbox' })} />
          <FormButtons cancel={close} saving={add.isPending} action="Add Credentials" />
        </Stack>
      </form>
    </AppModal>
  );
}

export function PushTemplateDialog({ close }: Props) {
  const stored = usePushTemplate();
  // Once it is there the form keeps it: a later one is somebody else's, and is compared when this one is saved.
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

function PushTemplateForm({ stored, close }: Props & { readonly stored: string }) {
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
  const edit = useEdit({
    form,
    load: loadPushTemplate,
    labels: { template: 'Notification text' },
  });
  const save = useSavePushTemplate();
  const submit = (values: { template: string }) =>
    save.mutate(
      { body: { ...values, seen: edit.changes((both) => both).seen } },
      { onSuccess: close, onError: edit.refused },
    );

  return (
    <AppModal title="Edit Template" close={close} dirty={form.isDirty() && !save.isSuccess}>
      <form noValidate onSubmit={form.onSubmit(submit, focusFirstError)}>
        <Stack>
          <Textarea
            label="Notification text"
            className={classes.code}
            rows={10}
            data-autofocus
            {...form.getInputProps('template')}
          />
          <MacroList label="Placeholders:" macros={PUSH_MACROS} />
          <EditButtons edit={edit} cancel={close} action="Save Template" saving={save.isPending} />
        </Stack>
      </form>
    </AppModal>
  );
}

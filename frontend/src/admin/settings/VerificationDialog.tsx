import { Stack, Switch } from '@mantine/core';
import { useForm } from '@mantine/form';
import { loadVerification, useSaveVerification, type Verification } from '../data/settings';
import { useNotifications } from '../notifications';
import { DONE } from '../texts';
import { AppModal } from '../ui/AppModal';
import { EditConflicts, useEdit } from '../ui/edit';
import { FormButtons } from '../ui/FormButtons';
import { CHECKS } from './checks';

const LABELS = Object.fromEntries(CHECKS.map(({ key, title }) => [key, title]));

export function VerificationDialog({ stored, close }: { stored: Verification; close: () => void }) {
  const form = useForm<Verification>({ initialValues: stored });
  const edit = useEdit({
    form,
    opened: form.getInitialValues(),
    load: () => loadVerification(),
    labels: LABELS,
  });
  const save = useSaveVerification();
  const notifications = useNotifications();
  const submit = () =>
    save.mutate(
      { body: edit.changes((values) => values) },
      {
        onSuccess: () => {
          notifications.success(DONE.settingsSaved);
          close();
        },
        onError: edit.refused,
      },
    );
  return (
    <AppModal title="Edit Settings" close={close} size="sm" dirty={form.isDirty() && !save.isSuccess}>
      <Stack>
        {CHECKS.map(({ key, title }) => (
          <Switch key={key} label={title} {...form.getInputProps(key, { type: 'checkbox' })} />
        ))}
        <EditConflicts edit={edit} />
        <FormButtons
          cancel={close}
          action="Save Settings"
          saving={save.isPending}
          blocked={edit.conflicts.length > 0}
          onAction={submit}
        />
      </Stack>
    </AppModal>
  );
}

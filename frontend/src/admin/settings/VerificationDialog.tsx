import { Stack, Switch } from '@mantine/core';
import { useForm } from '@mantine/form';
import { loadVerification, useSaveVerification, type Verification } from '../data/settings';
import { useNotifications } from '../notifications';
import { DONE } from '../texts';
import { AppModal } from '../ui/AppModal';
import { EditButtons, useEdit } from '../ui/edit';
import { CHECKS } from './checks';

const LABELS = Object.fromEntries(CHECKS.map(({ key, title }) => [key, title]));

export function VerificationDialog({ stored, close }: { stored: Verification; close: () => void }) {
  const form = useForm<Verification>({ initialValues: stored });
  const edit = useEdit({
    form,
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
        <EditButtons
          edit={edit}
          cancel={close}
          action="Save Settings"
          saving={save.isPending}
          onAction={submit}
        />
      </Stack>
    </AppModal>
  );
}

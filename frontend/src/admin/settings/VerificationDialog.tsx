import { Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { useSaveVerification, type Verification } from '../data/settings';
import { useNotifications } from '../notifications';
import { DONE } from '../texts';
import { AppModal } from '../ui/AppModal';
import { FormButtons } from '../ui/FormButtons';
import { CHECKS } from './checks';

export function VerificationDialog({ stored, close }: { stored: Verification; close: () => void }) {
  const [values, setValues] = useState(stored);
  const [initial] = useState(stored);
  const save = useSaveVerification();
  const notifications = useNotifications();
  const dirty = CHECKS.some(({ key }) => values[key] !== initial[key]);
  const submit = () =>
    save.mutate(
      { body: values },
      {
        onSuccess: () => {
          notifications.success(DONE.settingsSaved);
          close();
        },
      },
    );
  return (
    <AppModal title="Edit Settings" close={close} size="sm" dirty={dirty && !save.isSuccess}>
      <Stack>
        {CHECKS.map(({ key, title }) => (
          <Switch
            key={key}
            label={title}
            checked={values[key]}
            onChange={(event) => setValues({ ...values, [key]: event.currentTarget.checked })}
          />
        ))}
        <FormButtons cancel={close} action="Save Settings" saving={save.isPending} onAction={submit} />
      </Stack>
    </AppModal>
  );
}

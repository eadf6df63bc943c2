import { Button, Group, Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { useSaveVerification, type Verification } from '../data/settings';
import { useNotifications } from '../notifications';
import { DONE } from '../texts';
import { AppModal } from '../ui/AppModal';
import { CHECKS } from './checks';

export function VerificationDialog({ stored, close }: { stored: Verification; close: () => void }) {
  const [values, setValues] = useState(stored);
  const [initial] = useState(stored);
  const save = useSaveVerification();
  const notifications = useNotifications();
  const dirty = CHECKS.some(({ key }) => values[key] !== initial[key]);
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
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button
            loading={save.isPending}
            onClick={() =>
              save.mutate(
                { body: values },
                {
                  onSuccess: () => {
                    notifications.success(DONE.settingsSaved);
                    close();
                  },
                },
              )
            }
          >
            Save Settings
          </Button>
        </Group>
      </Stack>
    </AppModal>
  );
}

import { Badge, Button, Card, Group, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { useSaveVerification, useVerification, type Verification } from '../data/settings';
import { useNotices } from '../notices';
import { DONE } from '../texts';
import { AppModal } from '../ui/AppModal';
import { ListSkeleton, Loaded } from '../ui/states';
import { Section } from './Section';

const CHECKS = [
  {
    key: 'email_verification',
    title: 'Email Verification',
    about: 'Is the address written well, and does it exist?',
  },
  {
    key: 'phone_verification',
    title: 'Phone Verification',
    about: 'Is it a phone number that can be called?',
  },
  { key: 'name_verification', title: 'Name Verification', about: 'Does the name look like a name?' },
] as const satisfies readonly { key: keyof Verification; title: string; about: string }[];

export function VerificationSection() {
  const settings = useVerification();
  const [editing, setEditing] = useState(false);
  return (
    <Section
      title="API Verification Settings"
      about="A lead that fails a check waits among the pending leads."
      actions={
        <Button size="xs" disabled={!settings.data} onClick={() => setEditing(true)}>
          Edit Settings
        </Button>
      }
    >
      <Loaded
        query={settings}
        skeleton={<ListSkeleton rows={1} />}
        errorTitle="The settings could not be loaded"
      >
        {(stored) => (
          <>
            <SimpleGrid cols={{ base: 1, sm: 3 }}>
              {CHECKS.map(({ key, title, about }) => (
                <Card key={key} withBorder radius="md" padding="md">
                  <Group justify="space-between" wrap="nowrap" mb={4}>
                    <Text fw={600} size="sm">
                      {title}
                    </Text>
                    <Badge color={stored[key] ? 'teal.9' : 'gray.7'}>
                      {stored[key] ? 'Enabled' : 'Disabled'}
                    </Badge>
                  </Group>
                  <Text size="sm" c="dimmed">
                    {about}
                  </Text>
                </Card>
              ))}
            </SimpleGrid>
            {editing && <EditDialog stored={stored} close={() => setEditing(false)} />}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function EditDialog({ stored, close }: { stored: Verification; close: () => void }) {
  const [values, setValues] = useState(stored);
  const [initial] = useState(stored);
  const save = useSaveVerification();
  const notices = useNotices();
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
              save.mutate(values, {
                onSuccess: () => {
                  notices.success(DONE.settingsSaved);
                  close();
                },
              })
            }
          >
            Save Settings
          </Button>
        </Group>
      </Stack>
    </AppModal>
  );
}

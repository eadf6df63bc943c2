import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { isEmailAddress } from '#shared/rules/validation';
import { useApiMutation } from '../data/mutation';
import type { DialogInput } from '../dialogs/dialogs';
import { INVALID } from '../invalid-texts';
import { AppModal } from '../ui/AppModal';
import { focusFirstError } from '../ui/form';
import { TestResult } from './TestResult';

/** Sends an e-mail with test values to check server and text. */
export function TestEmailDialog({ template, close }: DialogInput<'test-email'>) {
  const [to, setTo] = useState('');
  const [error, setError] = useState<string>();
  const test = useApiMutation('sendTestEmail', { quiet: true });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isEmailAddress(to.trim()))
      return test.mutate({ params: { id: template.id }, body: { to: to.trim() } });
    setError(INVALID.email);
    focusFirstError();
  };
  return (
    <AppModal title={`Test e-mail with ${template.name}`} close={close} size="md">
      <form onSubmit={send} noValidate>
        <Stack>
          <TextInput
            label="To"
            type="email"
            required
            data-autofocus
            value={to}
            error={error}
            onChange={(event) => {
              setTo(event.currentTarget.value);
              setError(undefined);
            }}
          />
          {test.data && <TestResult result={test.data} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Close
            </Button>
            <Button type="submit" loading={test.isPending}>
              Send test e-mail
            </Button>
          </Group>
        </Stack>
      </form>
    </AppModal>
  );
}

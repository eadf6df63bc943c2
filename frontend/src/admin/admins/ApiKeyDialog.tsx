import { Alert, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { Answer } from '#shared/contract/schemas';
import { SCOPES, type Scope } from '#shared/contract/scopes';
import { useApiMutation } from '../data/mutation';
import type { DialogInput } from '../dialogs/dialogs';
import { INVALID } from '../invalid-texts';
import { AppModal } from '../ui/AppModal';
import { CopyField } from '../ui/CopyField';
import { FormModal } from '../ui/FormModal';
import { showFieldErrors } from '../ui/form';
import { MONOSPACE } from '../ui/monospace';
import { SCOPE_TEXTS } from './scope-texts';
import { useReauthentication } from './use-reauthentication';

interface Values {
  readonly name: string;
  readonly scopes: Scope[];
}

/** Creates a key and shows it once. */
export function ApiKeyDialog({ close }: DialogInput<'api-key'>) {
  const create = useApiMutation('createApiKey', { around: useReauthentication() });
  const [made, setMade] = useState<Answer<'createApiKey'>>();
  const form = useForm<Values>({
    initialValues: { name: '', scopes: ['read'] },
    validate: {
      name: (value) => (value.trim() === '' ? INVALID.required('Name') : null),
      scopes: (value) => (value.length === 0 ? INVALID.required('Scopes') : null),
    },
  });
  if (made !== undefined) return <Made name={made.name} value={made.key} close={close} />;
  const submit = (body: Values) =>
    create.mutate({ body }, { onSuccess: setMade, onError: (error) => showFieldErrors(form, error) });
  return (
    <FormModal
      title="Create an API key"
      size="md"
      close={close}
      form={form}
      submit={submit}
      write={create}
      action="Create Key"
    >
      <TextInput
        label="Name"
        description="The audit trail names the key by it. For example: Make"
        required
        data-autofocus
        autoComplete="off"
        maxLength={60}
        {...form.getInputProps('name')}
      />
      <Checkbox.Group label="Scopes" required {...form.getInputProps('scopes')}>
        <Stack gap="xs" mt={4}>
          {SCOPES.map((scope) => (
            <Checkbox
              key={scope}
              value={scope}
              label={SCOPE_TEXTS[scope].label}
              description={SCOPE_TEXTS[scope].about}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <Text c="dimmed">
        No key opens settings, keys, admins, erasure, links of buyers or downloads of personal data.
      </Text>
    </FormModal>
  );
}

interface MadeProps {
  readonly name: string;
  readonly value: string;
  readonly close: () => void;
}

function Made({ name, value, close }: MadeProps) {
  return (
    <AppModal title={`API key ${name}`} close={close} size="lg">
      <Stack>
        <Alert color="orange" title="Copy this key now" role="alert">
          <Stack gap="sm">
            <Text>
              It is shown only now. Only its hash is stored, so it cannot be shown again. Anyone who has it
              can use it.
            </Text>
            <CopyField
              label="New key"
              value={value}
              copy="Copy key"
              what="key"
              ref={focusOn}
              styles={MONOSPACE}
            />
          </Stack>
        </Alert>
        <Text>Your tool sends it with every call, in the header “Authorization: Bearer …”.</Text>
        <Group justify="flex-end">
          <Button onClick={close}>Done</Button>
        </Group>
      </Stack>
    </AppModal>
  );
}

/** Selected for copying. */
const focusOn = (field: HTMLInputElement | null) => field?.focus();

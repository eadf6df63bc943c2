import { PasswordInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { MIN_PASSWORD_CHARACTERS } from '#shared/rules/constants';
import { useApiMutation } from '../data/mutation';
import type { DialogInput } from '../dialogs/dialogs';
import { INVALID } from '../invalid-texts';
import { FormModal } from '../ui/FormModal';
import { showFieldErrors } from '../ui/form';

export function PasswordDialog({ username, close }: DialogInput<'password'>) {
  const change = useApiMutation('changePassword');
  const form = useForm({
    initialValues: { current_password: '', password: '' },
    validate: {
      current_password: (value) => (value === '' ? INVALID.required('Current password') : null),
      password: (value) => (value.length < MIN_PASSWORD_CHARACTERS ? INVALID.password : null),
    },
  });
  const submit = (body: typeof form.values) =>
    change.mutate({ body }, { onSuccess: close, onError: (error) => showFieldErrors(form, error) });
  return (
    <FormModal
      title="Change password"
      size="md"
      close={close}
      form={form}
      submit={submit}
      write={change}
      action="Change Password"
    >
      <Text>This ends all your other sessions.</Text>
      <input type="hidden" name="username" autoComplete="username" value={username} readOnly />
      <PasswordInput
        label="Current password"
        required
        data-autofocus
        autoComplete="current-password"
        {...form.getInputProps('current_password')}
      />
      <PasswordInput
        label="New password"
        required
        autoComplete="new-password"
        description={`At least ${MIN_PASSWORD_CHARACTERS} characters`}
        {...form.getInputProps('password')}
      />
    </FormModal>
  );
}

import { PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { MIN_PASSWORD_CHARACTERS } from '#shared/rules/constants';
import { useAdminWrite } from '../data/admins';
import { INVALID } from '../invalid-texts';
import { DONE, FAILED } from '../texts';
import { AppModal } from '../ui/AppModal';
import { FormButtons } from '../ui/FormButtons';
import { focusFirstError, showFieldErrors } from '../ui/form';

const TOGGLE = { 'aria-label': 'Show or hide the password' };

/** Changes the own password. */
export function PasswordDialog({
  username,
  close,
}: {
  readonly username: string;
  readonly close: () => void;
}) {
  const change = useAdminWrite('changePassword', FAILED.changePassword, { said: DONE.passwordChanged });
  const form = useForm({
    initialValues: { current_password: '', password: '' },
    validate: {
      current_password: (value) => (value === '' ? INVALID.required('Current password') : null),
      password: (value) => (value.length < MIN_PASSWORD_CHARACTERS ? INVALID.password : null),
    },
  });
  return (
    <AppModal title="Change password" close={close} size="md" dirty={form.isDirty() && !change.isSuccess}>
      <form
        noValidate
        onSubmit={form.onSubmit(
          (body) =>
            change.mutate({ body }, { onSuccess: close, onError: (error) => showFieldErrors(form, error) }),
          focusFirstError,
        )}
      >
        <Stack>
          <Text size="sm">All your other sessions end.</Text>
          <input type="hidden" name="username" autoComplete="username" value={username} readOnly />
          <PasswordInput
            label="Current password"
            required
            data-autofocus
            autoComplete="current-password"
            visibilityToggleButtonProps={TOGGLE}
            {...form.getInputProps('current_password')}
          />
          <PasswordInput
            label="New password"
            required
            autoComplete="new-password"
            description={`At least ${MIN_PASSWORD_CHARACTERS} characters`}
            visibilityToggleButtonProps={TOGGLE}
            {...form.getInputProps('password')}
          />
          <FormButtons cancel={close} action="Change Password" saving={change.isPending} />
        </Stack>
      </form>
    </AppModal>
  );
}

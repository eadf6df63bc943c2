import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { Rights } from '#shared/contract/roles';
import { MIN_PASSWORD_CHARACTERS } from '#shared/rules/constants';
import { formatDateTime } from '#shared/rules/formats';
import { USERNAME_PATTERN } from '#shared/rules/validation';
import { type MadeLink } from '../data/admins';
import { useApiMutation } from '../data/mutation';
import type { DialogInput } from '../dialogs/dialogs';
import { INVALID } from '../invalid-texts';

import { AppModal } from '../ui/AppModal';
import { CopyField } from '../ui/CopyField';
import { FormModal } from '../ui/FormModal';
import { showFieldErrors } from '../ui/form';
import { RoleSelect } from './RoleSelect';
import { useReauthentication } from './use-reauthentication';

const LEAST: Rights = { role: 'viewer', exports_personal_data: false };

/** Creates an invitation or reset link and shows it once. */
export function LinkDialog({ username, close }: DialogInput<'admin-link'>) {
  const withReauthentication = useReauthentication();
  const invite = useApiMutation('inviteAdmin', { around: withReauthentication });
  const reset = useApiMutation('resetAdmin', { around: withReauthentication });
  const [made, setMade] = useState<MadeLink>();
  const form = useForm({
    initialValues: { username: '', email: '', rights: LEAST },
    validate: {
      username: (value) =>
        username !== undefined || USERNAME_PATTERN.test(value.trim()) ? null : INVALID.username,
    },
  });
  const title = username === undefined ? 'Invite an admin' : `Reset the access of ${username}`;
  if (made !== undefined) return <Made title={title} made={made} email={form.values.email} close={close} />;

  const handlers = {
    onSuccess: setMade,
    onError: (error: Error) => showFieldErrors(form, error),
  };
  const submit = (values: typeof form.values) => {
    const email = values.email.trim() === '' ? {} : { email: values.email.trim() };
    if (username === undefined)
      invite.mutate({ body: { username: values.username.trim(), ...values.rights, ...email } }, handlers);
    else reset.mutate({ params: { username }, body: email }, handlers);
  };
  return (
    <FormModal
      title={title}
      size="md"
      close={close}
      form={form}
      submit={submit}
      write={username === undefined ? invite : reset}
      action={username === undefined ? 'Create Link' : 'Reset Access'}
    >
      {username === undefined ? (
        <>
          <Text>
            You get a single-use link, valid for 72 hours. The person who opens it chooses a password of at
            least {MIN_PASSWORD_CHARACTERS} characters and gets this role.
          </Text>
          <TextInput
            label="Login name"
            required
            data-autofocus
            autoComplete="off"
            autoCapitalize="none"
            maxLength={64}
            {...form.getInputProps('username')}
          />
          <RoleSelect
            label="Role"
            rights={form.values.rights}
            choose={(rights) => form.setFieldValue('rights', rights)}
          />
        </>
      ) : (
        <Text>
          The password of {username} and all open sessions stop working at once, and so do the links that{' '}
          {username} created. You get a single-use link, valid for 72 hours, with which {username} chooses a
          new password.
        </Text>
      )}
      <TextInput
        label="E-mail address"
        type="email"
        description="Optional. The link is also sent to this address."
        autoComplete="off"
        maxLength={254}
        {...form.getInputProps('email')}
      />
    </FormModal>
  );
}

interface MadeProps {
  readonly title: string;
  readonly made: MadeLink;
  readonly email: string;
  readonly close: () => void;
}

function Made({ title, made, email, close }: MadeProps) {
  return (
    <AppModal title={title} close={close} size="md">
      <Stack>
        <Alert color="orange" title="Copy this link now" role="alert">
          <Stack gap="sm">
            <Text>
              It is shown only now and works once, until {formatDateTime(new Date(made.expires_at))}. Anyone
              who has it can use it.
            </Text>
            <CopyField label="Link" value={made.link} copy="Copy link" />
          </Stack>
        </Alert>
        {email.trim() !== '' && (
          <Text>
            {made.mailed
              ? `It was sent to ${email.trim()}.`
              : 'The e-mail could not be sent. Send the link yourself.'}
          </Text>
        )}
        <Group justify="flex-end">
          <Button onClick={close}>Done</Button>
        </Group>
      </Stack>
    </AppModal>
  );
}

import { Switch } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useApiMutation } from '../data/mutation';
import { loadVerification, type Verification } from '../data/settings';
import type { DialogInput } from '../dialogs/dialogs';
import { EditModal } from '../ui/EditModal';
import { CHECKS } from './checks';

const LABELS = Object.fromEntries(CHECKS.map(({ key, title }) => [key, title]));

export function VerificationDialog({ stored, close }: DialogInput<'verification'>) {
  const form = useForm<Verification>({ initialValues: stored });
  return (
    <EditModal
      title="Edit Settings"
      action="Save Settings"
      size="sm"
      form={form}
      load={loadVerification}
      labels={LABELS}
      requestOf={(values) => values}
      inputOf={(body) => ({ body })}
      byButton
      write={useApiMutation('saveVerificationSettings')}
      close={close}
    >
      {CHECKS.map(({ key, title }) => (
        <Switch key={key} label={title} {...form.getInputProps(key, { type: 'checkbox' })} />
      ))}
    </EditModal>
  );
}

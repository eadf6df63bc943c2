import { Switch } from '@mantine/core';
import { useForm } from '@mantine/form';
import { loadVerification, useSaveVerification, type Verification } from '../data/settings';
import type { DialogInput } from '../dialogs/dialogs';
import { CHECKS } from './checks';
import { SettingsDialog } from './SettingsDialog';

const LABELS = Object.fromEntries(CHECKS.map(({ key, title }) => [key, title]));

export function VerificationDialog({ stored, close }: DialogInput<'verification'>) {
  const form = useForm<Verification>({ initialValues: stored });
  return (
    <SettingsDialog
      what="Settings"
      size="sm"
      form={form}
      load={() => loadVerification()}
      labels={LABELS}
      requestOf={(values) => values}
      save={useSaveVerification()}
      close={close}
    >
      {CHECKS.map(({ key, title }) => (
        <Switch key={key} label={title} {...form.getInputProps(key, { type: 'checkbox' })} />
      ))}
    </SettingsDialog>
  );
}

import { Alert, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { RETENTION_KINDS } from '#shared/rules/constants';
import { record } from '#shared/rules/lead-fields';
import { useApiMutation } from '../data/mutation';
import { loadRetention, type RetentionDays, useRetentionPreview } from '../data/settings';
import type { DialogInput } from '../dialogs/dialogs';
import { INVALID } from '../invalid-texts';
import { EditModal } from '../ui/EditModal';
import { KINDS, previewText } from './retention-texts';

const LABELS = Object.fromEntries(KINDS.map(({ kind, title }) => [kind, title]));
/** Days as typed; empty keeps the leads. */
type Typed = Record<keyof RetentionDays, string>;
const DAYS = /^[1-9]\d{0,3}$/;

const typed = (days: RetentionDays): Typed => record(RETENTION_KINDS, (kind) => String(days[kind] ?? ''));
const daysOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));
const requestOf = (days: Typed): RetentionDays => record(RETENTION_KINDS, (kind) => daysOf(days[kind]));
const problemOf = (text: string) =>
  text.trim() === '' || (DAYS.test(text.trim()) && Number(text) <= 3650) ? null : INVALID.days;

export function RetentionDialog({ stored, close }: DialogInput<'retention'>) {
  const form = useForm<Typed>({
    initialValues: typed(stored),
    validateInputOnBlur: true,
    validate: record(RETENTION_KINDS, () => problemOf),
  });
  const [asked] = useDebouncedValue(form.values, 400);
  const isValid = Object.values(asked).every((text) => problemOf(text) === null);
  const preview = useRetentionPreview(isValid ? requestOf(asked) : undefined);
  const foundOf = (kind: keyof RetentionDays) => {
    if (daysOf(asked[kind]) === null) return 'Kept until deleted';
    if (!isValid) return '';
    if (preview.isError) return 'The leads to erase could not be counted';
    const found = preview.data?.kinds.find((one) => one.kind === kind);
    return found === undefined ? 'Counting…' : previewText(found);
  };
  return (
    <EditModal
      title="Edit Retention"
      action="Save Retention"
      size="md"
      form={form}
      load={async () => typed((await loadRetention()).days)}
      labels={LABELS}
      requestOf={requestOf}
      inputOf={(body) => ({ body })}
      byButton
      write={useApiMutation('saveRetention')}
      close={close}
    >
      {KINDS.map(({ kind, title, about }) => (
        <div key={kind}>
          <TextInput
            label={`${title}, days`}
            description={about}
            placeholder="Kept until deleted"
            inputMode="numeric"
            maxLength={4}
            {...form.getInputProps(kind)}
          />
          <Text mt={4} aria-live="polite">
            {foundOf(kind)}
          </Text>
        </div>
      ))}
      <Alert color="orange">
        Erased data cannot be restored. Erasing starts within a minute of saving. Buyers are not notified.
      </Alert>
    </EditModal>
  );
}

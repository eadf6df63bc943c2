import { Alert, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { MAX_CONSENT_YEARS, RETENTION_KINDS } from '#shared/rules/constants';
import { record } from '#shared/rules/lead-fields';
import { useApiMutation } from '../data/mutation';
import {
  loadRetention,
  type RetentionDays,
  type RetentionSettings,
  useRetentionPreview,
} from '../data/settings';
import type { DialogInput } from '../dialogs/dialogs';
import { INVALID } from '../invalid-texts';
import { EditModal } from '../ui/EditModal';
import { KINDS, PROOF_TITLE, previewText } from './retention-texts';

const LABELS = {
  ...Object.fromEntries(KINDS.map(({ kind, title }) => [kind, title])),
  consent_years: PROOF_TITLE,
};
const PERIODS = [...RETENTION_KINDS, 'consent_years'] as const;
/** Days and years as typed; empty is none. */
type Typed = Record<keyof RetentionSettings, string>;

const typed = (stored: RetentionSettings): Typed => record(PERIODS, (period) => String(stored[period] ?? ''));
const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));
const daysIn = (typed: Typed): RetentionDays => record(RETENTION_KINDS, (kind) => numberOf(typed[kind]));
const requestOf = (typed: Typed): RetentionSettings => record(PERIODS, (period) => numberOf(typed[period]));

const problemAbove = (most: number, problem: string) => (text: string) =>
  text.trim() === '' || (/^[1-9]\d{0,3}$/.test(text.trim()) && Number(text) <= most) ? null : problem;
const daysProblem = problemAbove(3650, INVALID.days);
const yearsProblem = problemAbove(
  MAX_CONSENT_YEARS,
  `Enter whole years from 1 to ${MAX_CONSENT_YEARS}, or leave empty`,
);

export function RetentionDialog({ stored, close }: DialogInput<'retention'>) {
  const form = useForm<Typed>({
    initialValues: typed(stored),
    validateInputOnBlur: true,
    validate: { ...record(RETENTION_KINDS, () => daysProblem), consent_years: yearsProblem },
  });
  const [asked] = useDebouncedValue(form.values, 400);
  const isValid = RETENTION_KINDS.every((kind) => daysProblem(asked[kind]) === null);
  const preview = useRetentionPreview(isValid ? daysIn(asked) : undefined);
  const foundOf = (kind: keyof RetentionDays) => {
    if (numberOf(asked[kind]) === null) return 'Kept until deleted';
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
      load={async () => {
        const { days, consent_years } = await loadRetention();
        return typed({ ...days, consent_years });
      }}
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
      <TextInput
        label={`${PROOF_TITLE}, years`}
        description="For leads that a buyer received. Empty: the proof is erased with the person from now on; proofs that are kept already stay until their period ends."
        placeholder="Not kept"
        inputMode="numeric"
        maxLength={2}
        {...form.getInputProps('consent_years')}
      />
      <Alert color="orange">
        Erased data cannot be restored. Erasing starts within a minute of saving. Buyers are not notified.
      </Alert>
    </EditModal>
  );
}

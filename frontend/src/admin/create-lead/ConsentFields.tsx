import { Checkbox, Group, NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import {
  CONSENT_CHANNEL_LABELS,
  CONSENT_CHANNELS,
  CONSENT_LIMITS,
  CONSENT_METHOD_LABELS,
  CONSENT_METHODS,
} from '#shared/rules/consent';
import { errorWithin } from '../ui/field-errors';
import { type ConsentValues, LABELS } from './consent-values';

export function ConsentFields({ form }: { readonly form: UseFormReturnType<{ consent: ConsentValues }> }) {
  const { errors } = form;
  const field = (name: keyof ConsentValues) => ({
    label: LABELS[name],
    ...form.getInputProps(`consent.${name}`),
    error: errorWithin(errors, `consent.${name}`),
  });
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput type="datetime-local" {...field('given_at')} />
        <NativeSelect
          {...field('method')}
          data={CONSENT_METHODS.map((value) => ({ value, label: CONSENT_METHOD_LABELS[value].en }))}
        />
      </SimpleGrid>
      <Checkbox.Group {...field('channels')}>
        <Group gap="md" mt={4}>
          {CONSENT_CHANNELS.map((value) => (
            <Checkbox key={value} value={value} label={CONSENT_CHANNEL_LABELS[value].en} />
          ))}
        </Group>
      </Checkbox.Group>
      <Textarea
        {...field('text')}
        description="The words that the person agreed to, letter by letter."
        autosize
        minRows={2}
        maxRows={8}
        maxLength={CONSENT_LIMITS.text}
      />
      <TextInput
        {...field('page_url')}
        type="url"
        placeholder="Optional"
        maxLength={CONSENT_LIMITS.address}
      />
    </Stack>
  );
}

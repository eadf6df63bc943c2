import type { DialogInput } from '../dialogs/dialogs';
import '@mantine/core/styles/Table.css';
import { NativeSelect, Switch, Table, Text, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { CONSENT_POLICIES } from '#shared/rules/consent';
import { CONSENT_INTAKE_FIELDS, type IntakeField, LEAD_INTAKE_FIELDS } from '#shared/rules/lead-fields';
import { FieldPair } from '../buyers/FieldPair';
import { useCreatedOnce } from '../data/created-once';
import { useApiMutation } from '../data/mutation';
import { loadSources, sourcesQuery } from '../data/sources';

import { useEdit } from '../ui/edit';
import { Fold } from '../ui/Fold';
import { FormModal } from '../ui/FormModal';
import { errorWithin, hasError } from '../ui/field-errors';
import { fieldsOf } from '../ui/form';
import { ConsentTexts } from './ConsentTexts';
import { FIELD_TEXTS } from './field-texts';
import { SpecificationLink } from './SpecificationLink';
import {
  accessText,
  CONSENT_POLICY_TEXTS,
  duplicatesText,
  EMPTY_SOURCE,
  fieldsText,
  limitsText,
  SOURCE_LABELS,
  type SourceValues,
  sourceOf,
  sourceValuesOf,
  validateSource,
} from './source-form';

/** Adds a source, or changes its settings. */
export function SourceDialog({ source, close }: DialogInput<'source'>) {
  const around = useCreatedOnce('createSource', sourcesQuery, (all) => all.map(({ source_id }) => source_id));
  const create = useApiMutation('createSource', { around });
  const update = useApiMutation('updateSource');
  const form = useForm<SourceValues>({
    initialValues: source === undefined ? EMPTY_SOURCE : sourceValuesOf(source),
    validate: validateSource,
  });
  const edit = useEdit({
    form,
    load: async () => {
      const stored = (await loadSources()).find(({ source_id }) => source_id === source?.source_id);
      return stored === undefined ? form.getInitialValues() : sourceValuesOf(stored);
    },
    labels: SOURCE_LABELS,
  });

  const [wording, setWording] = useState<string>();
  const handlers = { onSuccess: close, onError: edit.refused };
  const save = (values: SourceValues) =>
    source === undefined
      ? create.mutate({ body: sourceOf(values) }, handlers)
      : update.mutate({ params: { sourceId: source.source_id }, body: edit.changes(sourceOf) }, handlers);
  const field = fieldsOf(form, SOURCE_LABELS, HINTS);
  const { errors } = form;

  return (
    <FormModal
      title={source === undefined ? 'Add Source' : `Edit source ${source.name}`}
      size="xl"
      close={close}
      form={form}
      submit={save}
      write={source === undefined ? create : update}
      edit={source === undefined ? undefined : edit}
      action={source === undefined ? 'Add Source' : 'Save Changes'}
      typing={wording !== undefined}
      sticky
    >
      <FieldPair>
        <TextInput {...field('name')} required data-autofocus maxLength={100} />
        <TextInput {...field('src')} required maxLength={200} />
      </FieldPair>
      <div>
        <Fold
          title="Limits and cost"
          summary={limitsText(form.values)}
          isWrong={hasError(errors, 'per_minute', 'per_day', 'in_total', 'cost_per_lead')}
        >
          <FieldPair>
            <TextInput {...field('per_minute')} required inputMode="numeric" />
            <TextInput {...field('per_day')} inputMode="numeric" placeholder="No limit" />
            <TextInput {...field('in_total')} inputMode="numeric" placeholder="No limit" />
            <TextInput {...field('cost_per_lead')} inputMode="decimal" placeholder="Unknown" />
          </FieldPair>
        </Fold>
        <Fold
          title="The same person again"
          summary={duplicatesText(form.values)}
          isWrong={hasError(errors, 'window_days', 'on_duplicate')}
        >
          <FieldPair>
            <TextInput {...field('window_days')} required inputMode="numeric" />
            <NativeSelect
              {...field('on_duplicate')}
              data={[
                { value: 'refuse', label: 'Reject as duplicate' },
                { value: 'hold', label: 'Hold as pending lead' },
              ]}
            />
          </FieldPair>
        </Fold>
        <Fold
          title="Who may post"
          summary={accessText(form.values)}
          isWrong={hasError(errors, 'origins', 'addresses', 'sees_buyers')}
        >
          <FieldPair>
            <Textarea
              {...field('origins')}
              {...LIST}
              placeholder="https://landing.example.com"
              error={errorWithin(errors, 'origins')}
            />
            <Textarea
              {...field('addresses')}
              {...LIST}
              placeholder="203.0.113.0/24"
              error={errorWithin(errors, 'addresses')}
            />
          </FieldPair>
          <Switch {...field('sees_buyers', 'checkbox')} mt="sm" />
        </Fold>
        <Fold
          title="Consent"
          summary={`Without consent: ${CONSENT_POLICY_TEXTS[form.values.consent].text}`}
          isWrong={hasError(errors, 'consent', 'double_opt_in')}
        >
          <NativeSelect
            {...field('consent')}
            description={CONSENT_POLICY_TEXTS[form.values.consent].hint}
            data={CONSENT_POLICIES.map((value) => ({ value, label: CONSENT_POLICY_TEXTS[value].label }))}
          />
          <Switch {...field('double_opt_in', 'checkbox')} mt="sm" />
          {source === undefined ? (
            <Text c="dimmed" mt="sm">
              You can write the wording as soon as the source is added.
            </Text>
          ) : (
            <ConsentTexts source={source} typed={wording} setTyped={setWording} />
          )}
        </Fold>
        <Fold
          title="Fields of a lead"
          summary={fieldsText(form.values)}
          isWrong={hasError(errors, 'mapping', 'defaults')}
        >
          <FieldsTable label="Fields of a lead" names={LEAD_INTAKE_FIELDS} form={form} />
          <Fold title="Fields of a consent" summary="Only if the source sends them one by one">
            <FieldsTable label="Fields of a consent" names={CONSENT_INTAKE_FIELDS} form={form} />
          </Fold>
          {(['mapping', 'defaults'] as const).map((name) => (
            <Text key={name} c="var(--mantine-color-error)">
              {errorWithin(errors, name)}
            </Text>
          ))}
        </Fold>
        {source !== undefined && <SpecificationLink source={source} />}
      </div>
    </FormModal>
  );
}

interface FieldsTableProps {
  readonly label: string;
  readonly names: readonly IntakeField[];
  readonly form: UseFormReturnType<SourceValues>;
}

function FieldsTable({ label, names, form }: FieldsTableProps) {
  return (
    <Table verticalSpacing={4} horizontalSpacing={4} aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Field</Table.Th>
          <Table.Th>{SOURCE_LABELS.mapping}</Table.Th>
          <Table.Th>{SOURCE_LABELS.defaults}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {names.map((name) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw={400}>
              {FIELD_TEXTS[name]}
            </Table.Th>
            <Table.Td>
              <TextInput
                size="xs"
                aria-label={`Source’s name for ${FIELD_TEXTS[name]}`}
                placeholder={name}
                maxLength={100}
                {...form.getInputProps(`mapping.${name}`)}
              />
            </Table.Td>
            <Table.Td>
              {/* Repeated posts are recognised by the ID, so each lead needs its own. */}
              {name !== 'external_id' && (
                <TextInput
                  size="xs"
                  aria-label={`Default value for ${FIELD_TEXTS[name]}`}
                  placeholder="None"
                  maxLength={254}
                  {...form.getInputProps(`defaults.${name}`)}
                />
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Help texts below the fields. */
const HINTS: Readonly<Record<string, string>> = {
  name: 'For admins',
  src: 'Shown as the source of every lead.',
  per_minute: 'Extra requests get status 429 and can be retried.',
  per_day: 'Per calendar day, Berlin time.',
  in_total: 'Over the lifetime of the source.',
  cost_per_lead: 'For leads of today and later. Earlier days keep their cost.',
  window_days: 'Matches phone or e-mail. No buyer gets the same person twice. 0 turns this off.',
  on_duplicate: 'If this source sends the same person again',
  double_opt_in:
    'If the consent was given in a form. The lead waits for that; after seven days without it, it is discarded.',
  origins: 'One per line, without a path. Leave empty if only servers post.',
  addresses: 'One per line. Leave empty to allow every address.',
};

const LIST = { autosize: true, minRows: 2, maxRows: 8 } as const;

import '@mantine/core/styles/Table.css';
import { Fieldset, NativeSelect, Stack, Switch, Table, Text, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { INTAKE_FIELDS, type IntakeField } from '#shared/rules/constants';
import { FieldPair } from '../buyers/FieldPair';
import { loadSources, type Source, useCreateSource, useUpdateSource } from '../data/sources';
import { DONE } from '../texts';
import { AppModal } from '../ui/AppModal';
import { EditButtons, useEdit } from '../ui/edit';
import { focusFirstError } from '../ui/form';
import { FIELD_TEXTS } from './field-texts';
import { SpecificationLink } from './SpecificationLink';
import {
  EMPTY_SOURCE,
  listError,
  SOURCE_LABELS,
  type SourceValues,
  sourceOf,
  sourceValuesOf,
  validateSource,
} from './source-form';

interface Props {
  /** The source to edit; a new one without. */
  readonly source?: Source;
  readonly close: () => void;
}

/** Adds a source, or changes its settings. */
export function SourceDialog({ source, close }: Props) {
  const create = useCreateSource();
  const update = useUpdateSource(DONE.sourceSaved);
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

  const handlers = { onSuccess: close, onError: edit.refused };
  const save = (values: SourceValues) =>
    source === undefined
      ? create.mutate({ body: sourceOf(values) }, handlers)
      : update.mutate({ params: { sourceId: source.source_id }, body: edit.changes(sourceOf) }, handlers);
  const saved = create.isSuccess || update.isSuccess;

  return (
    <AppModal
      title={source === undefined ? 'Add Source' : `Edit source ${source.name}`}
      close={close}
      size="xl"
      dirty={form.isDirty() && !saved}
    >
      <form onSubmit={form.onSubmit(save, focusFirstError)} noValidate>
        <Stack gap="md">
          <FieldPair>
            <TextInput
              label={SOURCE_LABELS.name}
              required
              data-autofocus
              maxLength={100}
              description="For admins"
              {...form.getInputProps('name')}
            />
            <TextInput
              label={SOURCE_LABELS.src}
              required
              maxLength={200}
              description="What stands with each of its leads"
              {...form.getInputProps('src')}
            />
          </FieldPair>
          <Fieldset legend="Limits">
            <FieldPair>
              <TextInput
                label={SOURCE_LABELS.per_minute}
                required
                inputMode="numeric"
                description="What comes beyond is to be sent again later"
                {...form.getInputProps('per_minute')}
              />
              <TextInput
                label={SOURCE_LABELS.per_day}
                inputMode="numeric"
                placeholder="Any number"
                description="From midnight to midnight in Berlin"
                {...form.getInputProps('per_day')}
              />
              <TextInput
                label={SOURCE_LABELS.in_total}
                inputMode="numeric"
                placeholder="Any number"
                description="From the first lead on"
                {...form.getInputProps('in_total')}
              />
            </FieldPair>
          </Fieldset>
          <Fieldset legend="The same person again">
            <FieldPair>
              <TextInput
                label={SOURCE_LABELS.window_days}
                required
                inputMode="numeric"
                description="By phone or e-mail; no buyer gets the person twice. 0: not looked at"
                {...form.getInputProps('window_days')}
              />
              <NativeSelect
                label={SOURCE_LABELS.on_duplicate}
                description="When this source has sent the person itself"
                data={[
                  { value: 'refuse', label: 'Is refused as a duplicate' },
                  { value: 'hold', label: 'Waits among the pending leads' },
                ]}
                {...form.getInputProps('on_duplicate')}
              />
            </FieldPair>
          </Fieldset>
          <Fieldset legend="Who may post">
            <FieldPair>
              <Textarea
                label={SOURCE_LABELS.origins}
                autosize
                minRows={2}
                maxRows={8}
                placeholder="https://landing.example.com"
                description="One a line. None: only servers, no browser"
                {...form.getInputProps('origins')}
                error={listError(form.errors, 'origins')}
              />
              <Textarea
                label={SOURCE_LABELS.addresses}
                autosize
                minRows={2}
                maxRows={8}
                placeholder="203.0.113.0/24"
                description="One a line. None: from everywhere"
                {...form.getInputProps('addresses')}
                error={listError(form.errors, 'addresses')}
              />
            </FieldPair>
            <Switch
              mt="sm"
              label={SOURCE_LABELS.sees_buyers}
              {...form.getInputProps('sees_buyers', { type: 'checkbox' })}
            />
          </Fieldset>
          <Fieldset legend="Fields of a lead">
            <Table verticalSpacing={4} horizontalSpacing={4} aria-label="Fields of a lead">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Field</Table.Th>
                  <Table.Th>{SOURCE_LABELS.mapping}</Table.Th>
                  <Table.Th>{SOURCE_LABELS.defaults}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {INTAKE_FIELDS.map((name) => (
                  <Table.Tr key={name}>
                    <Table.Th scope="row" fw={400}>
                      {FIELD_TEXTS[name]}
                    </Table.Th>
                    <Table.Td>
                      <TextInput
                        size="xs"
                        aria-label={`Own name of ${FIELD_TEXTS[name]}`}
                        placeholder={name}
                        maxLength={100}
                        {...form.getInputProps(`mapping.${name}`)}
                      />
                    </Table.Td>
                    <Table.Td>{hasDefault(name) && <DefaultInput name={name} form={form} />}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
            {(['mapping', 'defaults'] as const).map((name) => (
              <Text key={name} size="sm" c="var(--mantine-color-error)">
                {listError(form.errors, name)}
              </Text>
            ))}
          </Fieldset>
          {source !== undefined && <SpecificationLink source={source} />}
          <EditButtons
            edit={source === undefined ? undefined : edit}
            cancel={close}
            saving={create.isPending || update.isPending}
            action={source === undefined ? 'Add Source' : 'Save Changes'}
            sticky
          />
        </Stack>
      </form>
    </AppModal>
  );
}

/** A lead is recognised by its id, so that must be its own. */
const hasDefault = (name: IntakeField) => name !== 'external_id';

interface DefaultProps {
  readonly name: IntakeField;
  readonly form: UseFormReturnType<SourceValues>;
}

function DefaultInput({ name, form }: DefaultProps) {
  return (
    <TextInput
      size="xs"
      aria-label={`Value for ${FIELD_TEXTS[name]} where it is left out`}
      placeholder="None"
      maxLength={254}
      {...form.getInputProps(`defaults.${name}`)}
    />
  );
}

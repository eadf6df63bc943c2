import {
  Alert,
  Button,
  Fieldset,
  Input,
  NativeSelect,
  PasswordInput,
  SimpleGrid,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { BuyerChannel, BuyerChannelField } from '#shared/channels/channels';
import { CHANNEL_EXTRAS } from '#shared/channels/extras';
import { KNOWN_MACROS } from '#shared/rules/lead-values';
import { LEAD_MACROS } from '#shared/rules/macros';
import { Allowed } from '../data/rights';
import { useTemplates } from '../data/settings';
import { useDialogs } from '../dialogs/dialogs';
import { errorText } from '../notifications';
import { Fold } from '../ui/Fold';
import { errorWithin } from '../ui/field-errors';
import { MONOSPACE } from '../ui/monospace';
import classes from './BuyerForm.module.css';
import type { BuyerValues } from './buyer-values';
import { CodeBox } from './CodeBox';
import { channelProblems, presetValues, secretError, settingValuesOf, shownFields } from './channel-form';
import { FieldPair } from './FieldPair';
import { PairsInput } from './PairsInput';
import { RulesInput } from './RulesInput';

interface Props {
  readonly form: UseFormReturnType<BuyerValues>;
  readonly channel: BuyerChannel;
  /** Shown below the fields. */
  readonly children: ReactNode;
}

/** A channel's switch and, while it is on, its settings. */
export function ChannelSection({ form, channel, children }: Props) {
  const problems = channelProblems(channel, form.values);
  const shown = shownFields(channel, form.values);
  const folded = shown.filter((field) => field.folded !== undefined);
  const rows = (fields: readonly BuyerChannelField[]) =>
    rowsOf(fields).map(([first, ...others]) => (
      <Row
        key={first.name}
        form={form}
        fields={[first, ...others]}
        layout={layoutOf(first)}
        problems={problems}
      />
    ));
  const preview = form.values[channel.flag] && <Preview form={form} channel={channel} />;
  return (
    <Fieldset legend={channel.form.legend}>
      <Switch label={channel.form.toggle} {...form.getInputProps(channel.flag, { type: 'checkbox' })} />
      {form.values[channel.flag] && <Presets form={form} channel={channel} />}
      {rows(shown.filter((field) => field.folded === undefined))}
      {folded.length === 0 ? (
        preview
      ) : (
        <Fold
          title={folded[0]?.folded ?? ''}
          isWrong={folded.some(
            ({ name }) => (errorWithin(form.errors, name) ?? problems[name]) !== undefined,
          )}
        >
          {rows(folded)}
          {preview}
        </Fold>
      )}
      {children}
    </Fieldset>
  );
}

interface PartProps {
  readonly form: UseFormReturnType<BuyerValues>;
  readonly channel: BuyerChannel;
}

/** Presets to start from. */
function Presets({ form, channel }: PartProps) {
  const presets = CHANNEL_EXTRAS[channel.id]?.presets ?? [];
  return presets.length === 0 ? null : (
    <NativeSelect
      mt="sm"
      label="Start from"
      description="Fills the fields below. You can change all of them."
      value=""
      data={[{ value: '', label: '-- Choose --' }, ...presets.map(({ id, label }) => ({ value: id, label }))]}
      onChange={(event) => {
        const chosen = presets.find(({ id }) => id === event.currentTarget.value);
        if (chosen !== undefined) form.setValues(presetValues(chosen));
      }}
    />
  );
}

/** A preview of the request for a test person. */
function Preview({ form, channel }: PartProps) {
  const { preview } = CHANNEL_EXTRAS[channel.id] ?? {};
  if (preview === undefined) return null;
  const text = preview(settingValuesOf(form.values));
  return (
    <Input.Wrapper mt="sm" label="Preview" description="Uses an invented person." labelElement="div">
      <CodeBox label="Preview of the request">{text ?? 'Shown once the fields above are valid.'}</CodeBox>
    </Input.Wrapper>
  );
}

type Layout = 'pair' | 'thirds' | 'templates' | 'full';
type Fields = readonly [BuyerChannelField, ...BuyerChannelField[]];

/** Puts adjacent fields of the same layout into one row. */
function rowsOf(fields: readonly BuyerChannelField[]): Fields[] {
  const rows: [BuyerChannelField, ...BuyerChannelField[]][] = [];
  for (const field of fields) {
    const last = rows.at(-1);
    if (last !== undefined && layoutOf(last[0]) === layoutOf(field)) last.push(field);
    else rows.push([field]);
  }
  return rows;
}

function layoutOf(field: BuyerChannelField): Layout {
  switch (field.kind) {
    case 'text':
      return field.narrow === true ? 'thirds' : 'pair';
    case 'choice':
    case 'host':
    case 'secret':
      return 'pair';
    case 'template':
      return 'templates';
    case 'address':
    case 'area':
    case 'pairs':
    case 'rules':
    case 'mapping':
      return 'full';
  }
}

interface RowProps {
  readonly form: UseFormReturnType<BuyerValues>;
  readonly fields: Fields;
  readonly layout: Layout;
  readonly problems: Problems;
}

type Problems = ReturnType<typeof channelProblems>;

function Row({ form, fields, layout, problems }: RowProps) {
  if (layout === 'templates') return <Templates form={form} fields={fields} />;
  const inputs = fields.map((field) => (
    <Field key={field.name} form={form} field={field} problem={problems[field.name]} />
  ));
  switch (layout) {
    case 'pair':
      return <FieldPair>{inputs}</FieldPair>;
    case 'thirds':
      return (
        <SimpleGrid cols={3} mt="sm" className={classes.aligned} verticalSpacing={0}>
          {inputs}
        </SimpleGrid>
      );
    case 'full':
      return inputs;
  }
}

interface FieldProps {
  readonly form: UseFormReturnType<BuyerValues>;
  readonly field: BuyerChannelField;
  readonly templates?: readonly { readonly value: string; readonly label: string }[];
  /** An error that depends on the other fields. */
  readonly problem?: string | undefined;
}

function Field({ form, field, templates, problem }: FieldProps) {
  const value = form.values[field.name];
  const props = form.getInputProps(field.name);
  const common = {
    label: field.label,
    required: field.required !== undefined,
    ...props,
    error: props.error ?? (value.length > 0 ? problem : undefined),
  };
  switch (field.kind) {
    case 'text':
    case 'host':
      return (
        <TextInput
          autoComplete={field.autoComplete}
          placeholder={field.placeholder}
          description={field.description}
          {...common}
        />
      );
    case 'choice':
      return <NativeSelect data={field.options.map((option) => ({ ...option }))} {...common} />;
    case 'address':
      return (
        <TextInput mt="sm" placeholder={field.placeholder} description={field.description} {...common} />
      );
    case 'area':
      return (
        <Textarea
          mt="sm"
          description={[
            field.description,
            `Macros: ${KNOWN_MACROS.map((macro) => `$$${macro}$$`).join(', ')}`,
          ].join(' ')}
          placeholder={field.placeholder}
          autosize
          minRows={6}
          maxRows={18}
          spellCheck={false}
          styles={MONOSPACE}
          {...common}
        />
      );
    case 'pairs':
      return (
        <PairsInput
          label={field.label}
          maxEntries={field.maxEntries}
          entries={form.values[field.name]}
          onChange={(pairs) => form.setFieldValue(field.name, pairs)}
          error={errorWithin(form.errors, field.name) ?? problem}
        />
      );
    case 'rules':
      return (
        <RulesInput
          label={field.label}
          description={field.description}
          maxEntries={field.maxEntries}
          entries={form.values[field.name]}
          onChange={(rules) => form.setFieldValue(field.name, rules)}
          error={errorWithin(form.errors, field.name) ?? problem}
        />
      );
    case 'secret':
      return (
        <PasswordInput
          autoComplete={field.autoComplete ?? 'off'}
          placeholder={field.placeholder}
          description={field.description}
          {...common}
          error={form.errors[field.name] ?? secretError(field, form.values, form.getInitialValues())}
        />
      );
    case 'template':
      return <NativeSelect data={[{ value: '', label: field.noneText }, ...(templates ?? [])]} {...common} />;
    case 'mapping':
      return (
        <Textarea
          mt="sm"
          description={`JSON: the partner's field → ours (${LEAD_MACROS.join(', ')})`}
          placeholder={field.example}
          autosize
          minRows={2}
          maxRows={8}
          styles={MONOSPACE}
          {...common}
        />
      );
  }
}

function Templates({ form, fields }: { form: UseFormReturnType<BuyerValues>; fields: Fields }) {
  const dialogs = useDialogs();
  const templates = useTemplates();
  const options = (templates.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  // The first missing template, otherwise the template for every lead.
  const chosen = fields.find(({ name }) => form.values[name] === '') ?? fields[0];
  const missing = fields.find(({ name, required }) => required !== undefined && form.values[name] === '');
  return (
    <>
      <FieldPair>
        {fields.map((field) => (
          <Field key={field.name} form={form} field={field} templates={options} />
        ))}
      </FieldPair>
      <Allowed to="createEmailTemplate">
        <Button
          mt="xs"
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          onClick={() =>
            dialogs.open('template', {
              mode: { kind: 'create' },
              onCreated: (id) => form.setFieldValue(chosen.name, id),
            })
          }
        >
          New template
        </Button>
      </Allowed>
      {templates.error && (
        <Text c="var(--mantine-color-error)" mt="xs">
          {errorText(templates.error)}
        </Text>
      )}
      {missing && (
        <Alert color="yellow" mt="sm" title={missing.requiredText}>
          Choose a template, or create one with “New template”.
        </Alert>
      )}
    </>
  );
}

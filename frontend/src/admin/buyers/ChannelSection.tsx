import {
  Alert,
  Button,
  Fieldset,
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
import { LEAD_MACROS } from '#shared/rules/macros';
import { useTemplates } from '../data/settings';
import { useDialogs } from '../dialogs/dialogs';
import { errorText } from '../notifications';
import classes from './BuyerForm.module.css';
import type { BuyerValues } from './buyer-values';
import { secretError, shownFields } from './channel-form';
import { FieldPair } from './FieldPair';

interface Props {
  readonly form: UseFormReturnType<BuyerValues>;
  readonly channel: BuyerChannel;
  /** Stands below the fields. */
  readonly children: ReactNode;
}

/** A channel's switch and, while it is on, its settings. */
export function ChannelSection({ form, channel, children }: Props) {
  return (
    <Fieldset legend={channel.form.legend}>
      <Switch label={channel.form.toggle} {...form.getInputProps(channel.flag, { type: 'checkbox' })} />
      {rowsOf(shownFields(channel, form.values)).map(([first, ...others]) => (
        <Row key={first.name} form={form} fields={[first, ...others]} layout={layoutOf(first)} />
      ))}
      {children}
    </Fieldset>
  );
}

type Layout = 'pair' | 'thirds' | 'templates' | 'full';
type Fields = readonly [BuyerChannelField, ...BuyerChannelField[]];

/** Neighbours of the same layout stand side by side. */
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
    case 'host':
    case 'secret':
      return 'pair';
    case 'template':
      return 'templates';
    case 'mapping':
      return 'full';
  }
}

interface RowProps {
  readonly form: UseFormReturnType<BuyerValues>;
  readonly fields: Fields;
  readonly layout: Layout;
}

function Row({ form, fields, layout }: RowProps) {
  if (layout === 'templates') return <Templates form={form} fields={fields} />;
  const inputs = fields.map((field) => <Field key={field.name} form={form} field={field} />);
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
  /** What a template is chosen from. */
  readonly templates?: readonly { readonly value: string; readonly label: string }[];
}

function Field({ form, field, templates }: FieldProps) {
  const common = {
    label: field.label,
    required: field.required !== undefined,
    ...form.getInputProps(field.name),
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
    case 'secret':
      return (
        <PasswordInput
          autoComplete={field.autoComplete ?? 'off'}
          placeholder={field.placeholder}
          description={field.description}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide' }}
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
          classNames={{ input: classes.code }}
          {...common}
        />
      );
  }
}

function Templates({ form, fields }: { form: UseFormReturnType<BuyerValues>; fields: Fields }) {
  const dialogs = useDialogs();
  const templates = useTemplates();
  const options = (templates.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  // The one that is still to be chosen, or else the one for every lead.
  const chosen = fields.find(({ name }) => form.values[name] === '') ?? fields[0];
  const missing = fields.find(({ name, required }) => required !== undefined && form.values[name] === '');
  return (
    <>
      <FieldPair>
        {fields.map((field) => (
          <Field key={field.name} form={form} field={field} templates={options} />
        ))}
      </FieldPair>
      <Button
        mt="xs"
        size="compact-sm"
        variant="subtle"
        leftSection={<IconPlus size={14} />}
        onClick={() =>
          dialogs.open('add-template', {
            onCreated: (id) => form.setFieldValue(chosen.name, id),
          })
        }
      >
        New template
      </Button>
      {templates.error && (
        <Text size="sm" c="var(--mantine-color-error)" mt="xs">
          {errorText(templates.error)}
        </Text>
      )}
      {missing && (
        <Alert color="yellow" variant="outline" mt="sm" title={missing.requiredText}>
          Without a template no e-mail can be sent. Templates are made in Settings.
        </Alert>
      )}
    </>
  );
}

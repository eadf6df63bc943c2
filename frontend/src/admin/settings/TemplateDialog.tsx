import { PasswordInput, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Answer } from '#shared/contract/schemas';
import { EMAIL_MACROS } from '#shared/rules/macros';
import { loadTemplates, useCreateTemplate, useUpdateTemplate } from '../data/settings';
import { AppModal } from '../ui/AppModal';
import { EditButtons, useEdit } from '../ui/edit';
import { focusFirstError } from '../ui/form';
import { MacroList } from './MacroList';
import classes from './settings.module.css';
import { TemplateTest } from './TemplateTest';
import {
  NEW_TEMPLATE_VALUES,
  passwordError,
  storedTemplate,
  TEMPLATE_LABELS,
  type TemplateMode,
  type TemplateValues,
  templateOf,
  templateValuesOf,
  validateTemplate,
} from './template-form';

interface Props {
  readonly mode: TemplateMode;
  /** What to do with the new template's id. */
  readonly onCreated?: (id: string) => void;
  readonly close: () => void;
}

export function TemplateDialog({ mode, onCreated, close }: Props) {
  const create = useCreateTemplate();
  const update = useUpdateTemplate();
  const stored = storedTemplate(mode);
  const form = useForm<TemplateValues>({
    initialValues: initialOf(mode),
    validate: (values) => validateTemplate(values, stored),
  });

  const edit = useEdit({
    form,
    load: async () => {
      const templates = await loadTemplates();
      const template = templates.find(({ id }) => mode.kind === 'edit' && id === mode.template.id);
      return template === undefined ? form.getInitialValues() : templateValuesOf(template);
    },
    labels: TEMPLATE_LABELS,
    secrets: ['smtp_pass'],
  });

  const created = {
    onSuccess: ({ template }: Answer<'createEmailTemplate'>) => {
      close();
      onCreated?.(template.id);
    },
    onError: edit.refused,
  };
  const save = (values: TemplateValues) => {
    const body = templateOf(values);
    switch (mode.kind) {
      case 'create':
        return create.mutate({ body }, created);
      case 'duplicate':
        return create.mutate({ body: { ...body, copy_of: mode.template.id } }, created);
      case 'edit':
        return update.mutate(
          { params: { id: mode.template.id }, body: edit.changes(templateOf) },
          { onSuccess: close, onError: edit.refused },
        );
    }
  };
  const saved = create.isSuccess || update.isSuccess;

  return (
    <AppModal
      title={mode.kind === 'edit' ? 'Edit Email Template' : 'Add Email Template'}
      close={close}
      size="xl"
      dirty={form.isDirty() && !saved}
    >
      <form onSubmit={form.onSubmit(save, focusFirstError)} noValidate>
        <Stack gap="sm">
          <TextInput label={TEMPLATE_LABELS.name} required {...form.getInputProps('name')} />
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <TextInput
              label={TEMPLATE_LABELS.smtp_host}
              required
              data-autofocus
              placeholder="smtp.example.com"
              {...form.getInputProps('smtp_host')}
            />
            <TextInput
              label={TEMPLATE_LABELS.smtp_port}
              required
              inputMode="numeric"
              {...form.getInputProps('smtp_port')}
            />
            <TextInput
              label={TEMPLATE_LABELS.smtp_user}
              required
              autoComplete="off"
              {...form.getInputProps('smtp_user')}
            />
            <PasswordInput
              label={TEMPLATE_LABELS.smtp_pass}
              required
              autoComplete="new-password"
              visibilityToggleButtonProps={{ 'aria-label': 'Show or hide' }}
              {...form.getInputProps('smtp_pass')}
              error={form.errors.smtp_pass ?? passwordError(form.values, stored)}
            />
          </SimpleGrid>
          <TextInput
            label={TEMPLATE_LABELS.smtp_from}
            type="email"
            description="Leave empty if the SMTP user is the sender’s address."
            {...form.getInputProps('smtp_from')}
          />
          <div>
            <MacroList label="Macros, filled in for each lead:" macros={EMAIL_MACROS} />
            <Text size="sm" c="dimmed">
              The last one is the secret link to the order’s list. While the link is switched off, its line is
              left out of the plain text, unless it has other macros.
            </Text>
          </div>
          <TextInput label={TEMPLATE_LABELS.smtp_subject} required {...form.getInputProps('smtp_subject')} />
          <Textarea
            label={TEMPLATE_LABELS.smtp_body}
            autosize
            minRows={5}
            maxRows={14}
            {...form.getInputProps('smtp_body')}
          />
          <Textarea
            label={TEMPLATE_LABELS.smtp_html_body}
            className={classes.code}
            autosize
            minRows={5}
            maxRows={14}
            {...form.getInputProps('smtp_html_body')}
          />
          <TemplateTest form={form} stored={stored} />
          <EditButtons
            edit={edit}
            cancel={close}
            saving={create.isPending || update.isPending}
            action={mode.kind === 'edit' ? 'Save Template' : 'Create Template'}
            sticky
          />
        </Stack>
      </form>
    </AppModal>
  );
}

function initialOf(mode: TemplateMode): TemplateValues {
  switch (mode.kind) {
    case 'create':
      return NEW_TEMPLATE_VALUES;
    case 'edit':
      return templateValuesOf(mode.template);
    case 'duplicate':
      return { ...templateValuesOf(mode.template), name: `${mode.template.name} (Copy)` };
  }
}

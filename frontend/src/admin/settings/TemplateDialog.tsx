import { PasswordInput, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Answer } from '#shared/contract/schemas';
import { EMAIL_MACROS } from '#shared/rules/macros';
import { useCreatedOnce } from '../data/created-once';
import { useApiMutation } from '../data/mutation';
import { loadTemplates, templatesQuery } from '../data/settings';
import type { DialogInput } from '../dialogs/dialogs';
import { useEdit } from '../ui/edit';
import { FormModal } from '../ui/FormModal';
import { fieldsOf } from '../ui/form';
import { MONOSPACE } from '../ui/monospace';
import { MacroList } from './MacroList';
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

export function TemplateDialog({ mode, onCreated, close }: DialogInput<'template'>) {
  const around = useCreatedOnce('createEmailTemplate', templatesQuery, (all) => all.map(({ id }) => id));
  const create = useApiMutation('createEmailTemplate', { around });
  const update = useApiMutation('updateEmailTemplate');
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
  const field = fieldsOf(form, TEMPLATE_LABELS);

  return (
    <FormModal
      title={mode.kind === 'edit' ? 'Edit Email Template' : 'Add Email Template'}
      size="xl"
      close={close}
      form={form}
      submit={save}
      write={mode.kind === 'edit' ? update : create}
      edit={edit}
      action={mode.kind === 'edit' ? 'Save Template' : 'Create Template'}
      sticky
      gap="sm"
    >
      <TextInput {...field('name')} required />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput {...field('smtp_host')} required data-autofocus placeholder="smtp.example.com" />
        <TextInput {...field('smtp_port')} required inputMode="numeric" />
        <TextInput {...field('smtp_user')} required autoComplete="off" />
        <PasswordInput
          {...field('smtp_pass')}
          required
          autoComplete="new-password"
          error={form.errors.smtp_pass ?? passwordError(form.values, stored)}
        />
      </SimpleGrid>
      <TextInput
        {...field('smtp_from')}
        type="email"
        description="Leave empty if the SMTP user is the sender address."
      />
      <div>
        <MacroList label="Macros, replaced for each lead:" macros={EMAIL_MACROS} />
        <Text c="dimmed">
          The last one is the secret link to the order’s list. If that link is turned off, the plain text
          leaves out its line, unless the line has other macros.
        </Text>
      </div>
      <TextInput {...field('smtp_subject')} required />
      <Textarea {...field('smtp_body')} autosize minRows={5} maxRows={14} />
      <Textarea {...field('smtp_html_body')} styles={MONOSPACE} autosize minRows={5} maxRows={14} />
      <TemplateTest form={form} stored={stored} />
    </FormModal>
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

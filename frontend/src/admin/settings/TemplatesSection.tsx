import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCopy, IconEdit, IconSend, IconTrash } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { type EmailTemplate, useDeleteTemplate, useTemplates } from '../data/settings';
import { useDialogs } from '../dialogs';
import { useNotices } from '../notices';
import { CONFIRM, DONE } from '../texts';
import { IconAction } from '../ui/IconAction';
import { ListSkeleton, Loaded } from '../ui/states';
import { Section } from './Section';
import classes from './settings.module.css';
import type { TemplateMode } from './template-form';

const TemplateDialog = lazy(async () => ({ default: (await import('./TemplateDialog')).TemplateDialog }));
const TestEmailDialog = lazy(async () => ({ default: (await import('./TestEmailDialog')).TestEmailDialog }));

export function TemplatesSection() {
  const templates = useTemplates();
  const [form, setForm] = useState<TemplateMode>();
  const [testing, setTesting] = useState<EmailTemplate>();
  return (
    <Section
      title="Email Templates"
      about="The text of the e-mails with which leads are delivered, and the server that sends them."
      actions={
        <Button size="xs" onClick={() => setForm({ kind: 'create' })}>
          Add Template
        </Button>
      }
    >
      <Loaded
        query={templates}
        skeleton={<ListSkeleton rows={2} />}
        errorTitle="The templates could not be loaded"
      >
        {(rows) =>
          rows.length === 0 ? (
            <Text c="dimmed">No email templates found. Create one to get started.</Text>
          ) : (
            <Stack gap="xs" component="ul" className={classes.list}>
              {rows.map((template) => (
                <TemplateRow key={template.id} template={template} open={setForm} test={setTesting} />
              ))}
            </Stack>
          )
        }
      </Loaded>
      <Suspense fallback={null}>
        {form && <TemplateDialog mode={form} close={() => setForm(undefined)} />}
        {testing && <TestEmailDialog template={testing} close={() => setTesting(undefined)} />}
      </Suspense>
    </Section>
  );
}

interface RowProps {
  readonly template: EmailTemplate;
  readonly open: (mode: TemplateMode) => void;
  readonly test: (template: EmailTemplate) => void;
}

function TemplateRow({ template, open, test }: RowProps) {
  const dialogs = useDialogs();
  const notices = useNotices();
  const remove = useDeleteTemplate();
  const confirmDelete = async () => {
    const agreed = await dialogs.confirm({
      title: 'Delete template',
      text: CONFIRM.deleteTemplate,
      action: 'Delete',
      danger: true,
    });
    if (agreed) remove.mutate(template.id, { onSuccess: () => notices.success(DONE.templateDeleted) });
  };
  return (
    <li className={classes.row}>
      <div className={classes.text}>
        <Text fw={500}>{template.name}</Text>
        <Text size="sm" c="dimmed">
          {template.smtp_host}:{template.smtp_port} · {template.smtp_subject || 'no subject'}
        </Text>
      </div>
      <Group gap={6}>
        <IconAction
          label={`Send a test e-mail with ${template.name}`}
          icon={<IconSend size={16} />}
          onClick={() => test(template)}
        />
        <IconAction
          label={`Edit ${template.name}`}
          icon={<IconEdit size={16} />}
          onClick={() => open({ kind: 'edit', template })}
        />
        <IconAction
          label={`Duplicate ${template.name}`}
          icon={<IconCopy size={16} />}
          onClick={() => open({ kind: 'duplicate', template })}
        />
        <IconAction
          label={`Delete ${template.name}`}
          danger
          icon={<IconTrash size={16} />}
          loading={remove.isPending}
          onClick={() => void confirmDelete()}
        />
      </Group>
    </li>
  );
}

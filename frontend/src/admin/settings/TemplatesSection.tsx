import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCopy, IconEdit, IconSend, IconTrash } from '@tabler/icons-react';
import { useApiMutation } from '../data/mutation';
import { type EmailTemplate, useTemplates } from '../data/settings';
import { useDialogs } from '../dialogs/dialogs';
import { CONFIRM } from '../texts';
import { IconButton } from '../ui/IconButton';
import classes from '../ui/rows.module.css';
import { SettingsSection } from './SettingsSection';

export function TemplatesSection() {
  const templates = useTemplates();
  const dialogs = useDialogs();
  return (
    <SettingsSection
      query={templates}
      what="The templates"
      rows={2}
      title="Email Templates"
      about="The text of lead e-mails and the server that sends them."
      actions={
        <Button size="xs" onClick={() => dialogs.open('template', { mode: { kind: 'create' } })}>
          Add Template
        </Button>
      }
    >
      {(rows) =>
        rows.length === 0 ? (
          <Text c="dimmed">No email templates found. Create one to get started.</Text>
        ) : (
          <Stack gap="xs" component="ul" className={classes.list}>
            {rows.map((template) => (
              <TemplateRow key={template.id} template={template} />
            ))}
          </Stack>
        )
      }
    </SettingsSection>
  );
}

function TemplateRow({ template }: { readonly template: EmailTemplate }) {
  const dialogs = useDialogs();
  const remove = useApiMutation('deleteEmailTemplate');
  const confirmDelete = () =>
    dialogs.ask({ title: 'Delete template', text: CONFIRM.deleteTemplate, action: 'Delete' }, () =>
      remove.mutate({ params: { id: template.id } }),
    );
  return (
    <li className={classes.row}>
      <div className={classes.text}>
        <Text fw={500}>{template.name}</Text>
        <Text c="dimmed">
          {template.smtp_host}:{template.smtp_port} · {template.smtp_subject || 'no subject'}
        </Text>
      </div>
      <Group gap={6}>
        <IconButton
          label={`Send a test e-mail with ${template.name}`}
          icon={IconSend}
          onClick={() => dialogs.open('test-email', { template })}
        />
        <IconButton
          label={`Edit ${template.name}`}
          icon={IconEdit}
          onClick={() => dialogs.open('template', { mode: { kind: 'edit', template } })}
        />
        <IconButton
          label={`Duplicate ${template.name}`}
          icon={IconCopy}
          onClick={() => dialogs.open('template', { mode: { kind: 'duplicate', template } })}
        />
        <IconButton
          label={`Delete ${template.name}`}
          danger
          icon={IconTrash}
          loading={remove.isPending}
          onClick={confirmDelete}
        />
      </Group>
    </li>
  );
}

import { Text } from '@mantine/core';
import { useTemplates } from '../data/settings';
import type { DialogInput } from '../dialogs/dialogs';
import { AppModal } from '../ui/AppModal';
import { QueryResult } from '../ui/states';
import { TemplateDialog } from './TemplateDialog';

/** Edits a template of which only the ID is known. */
export function EditTemplateDialog({ templateId, close }: DialogInput<'edit-template'>) {
  const templates = useTemplates();
  const template = templates.data?.find(({ id }) => id === templateId);
  if (template !== undefined) return <TemplateDialog mode={{ kind: 'edit', template }} close={close} />;
  return (
    <AppModal title="Edit Email Template" close={close}>
      <QueryResult query={templates} what="The template">
        {() => <Text>This template was deleted.</Text>}
      </QueryResult>
    </AppModal>
  );
}

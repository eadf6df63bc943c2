import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { formatNumber } from '#shared/rules/formats';
import type { DialogInput } from '../dialogs/dialogs';
import { AppModal } from '../ui/AppModal';
import { countOf } from '../ui/labels';
import { useLeadExport } from './use-lead-export';

/** The progress of an export of exactly the leads that match. */
export function ExportDialog({ query, format, total, close }: DialogInput<'export-leads'>) {
  const { state, loaded, problem, pause, resume } = useLeadExport(query, format);
  const of = Math.max(total ?? 0, loaded);
  const counted =
    total === null ? countOf(loaded, 'lead') : `${formatNumber(loaded)} of ${countOf(of, 'lead')}`;
  return (
    <AppModal title={`Export ${format.toUpperCase()}`} close={close}>
      <Stack gap="md">
        <Progress
          value={state === 'done' ? 100 : (loaded / Math.max(1, of)) * 100}
          aria-label={`Loaded: ${counted}`}
        />
        <Text role="status" fw={state === 'done' ? 600 : 400}>
          {state === 'done'
            ? `Leads.${format} with ${countOf(loaded, 'lead')} was saved.`
            : state === 'writing'
              ? 'Writing the file'
              : counted}
        </Text>
        {problem !== undefined && (
          <Text c="var(--mantine-color-error)" role="alert">
            {problem}
          </Text>
        )}
        {state !== 'done' && (
          <Text c="dimmed">
            If you close this dialog or a call fails, the export continues from here the next time, until you
            reload the page or log out.
          </Text>
        )}
        <Group justify="flex-end">
          {state === 'loading' && (
            <Button variant="default" onClick={pause}>
              Pause
            </Button>
          )}
          {state === 'paused' && <Button onClick={resume}>Continue</Button>}
          <Button variant="default" data-autofocus onClick={close}>
            {state === 'done' ? 'Done' : 'Close'}
          </Button>
        </Group>
      </Stack>
    </AppModal>
  );
}

import { Button, Group } from '@mantine/core';
import { IconEdit, IconTrash, IconUserCheck } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import { formatDateTime } from '#shared/rules/formats';
import { pendingReasonText } from '#shared/rules/reasons';
import { type LeadDetails } from '../data/leads';
import { useApiMutation } from '../data/mutation';
import { useMay } from '../data/rights';
import { useDialogs } from '../dialogs/dialogs';
import { CONFIRM } from '../texts';
import { ToolButton } from '../ui/ToolButton';
import { nameOf } from './name';

/** The actions that a lead's status allows. */
export function LeadActions({ lead }: { lead: LeadDetails }) {
  const dialogs = useDialogs();
  const [, navigate] = useLocation();
  const remove = useApiMutation('deleteLead');
  const discard = useApiMutation('discardPendingLead');
  const may = useMay();
  const name = nameOf(lead);
  const params = { leadId: lead.lead_id };

  // One role may do all of them, or none.
  if (!may('updateLead')) return null;
  if (lead.status === 'assigned')
    return (
      <Group gap="xs">
        {lead.erased_at === null && (
          <ToolButton icon={IconEdit} onClick={() => dialogs.open('edit-lead', { lead })}>
            Edit
          </ToolButton>
        )}
        <Button
          size="xs"
          color="red.9"
          leftSection={<IconTrash size={16} />}
          loading={remove.isPending}
          onClick={() => {
            const text = CONFIRM.deleteLead(name, lead.claim_status === 'approved');
            dialogs.ask({ title: 'Delete lead', text, action: 'Delete' }, () => remove.mutate({ params }));
          }}
        >
          Delete
        </Button>
      </Group>
    );
  if (lead.status === 'pending' && lead.reason !== null) {
    const { reason } = lead;
    return (
      <Group gap="xs">
        <Button
          size="xs"
          leftSection={<IconUserCheck size={16} />}
          onClick={() =>
            dialogs.open('assign-lead', {
              lead: {
                ...lead,
                reason,
                reason_text: pendingReasonText(reason, lead.buyer_id ?? undefined),
                next_opening: null,
                created_at_formatted: formatDateTime(new Date(lead.created_at)),
              },
            })
          }
        >
          Edit &amp; Assign
        </Button>
        <Button
          size="xs"
          color="red.9"
          leftSection={<IconTrash size={16} />}
          loading={discard.isPending}
          onClick={() =>
            dialogs.ask({ title: 'Discard lead', text: CONFIRM.discardLead(name), action: 'Discard' }, () =>
              discard.mutate({ params }, { onSuccess: () => navigate('/dashboard/ineligible-leads') }),
            )
          }
        >
          Discard
        </Button>
      </Group>
    );
  }
  return null;
}

import { Anchor, Button, Fieldset, Group, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { formatDate, formatEuroShort, formatNumber } from '#shared/rules/formats';
import { ApiError } from '../../app/api';
import { type Claim, useApproveClaim, useRejectClaim } from '../data/claims';
import { nameOf } from '../lead/lead-form';
import { useNotifications } from '../notifications';
import { DONE } from '../texts';
import { AppModal } from '../ui/AppModal';
import { ClaimBadge } from '../ui/badges';
import { type DescriptionItem, DescriptionList } from '../ui/DescriptionList';
import classes from '../ui/FormButtons.module.css';
import { countOf } from '../ui/labels';
import { Meter } from '../ui/Meter';

interface Props {
  readonly claim: Claim;
  readonly close: () => void;
}

/** A claim with all that a decision about it needs. */
export function ClaimDialog({ claim, close }: Props) {
  const [notes, setNotes] = useState('');
  const approve = useApproveClaim();
  const reject = useRejectClaim();
  const notifications = useNotifications();
  const busy = approve.isPending || reject.isPending;
  const id = claim.claim_id;
  const decision = { params: { claimId: id }, body: { admin_notes: notes } };

  const decided = (text: string) => ({
    onSuccess: () => {
      notifications.success(text);
      close();
    },
    onError: (error: Error) => {
      // Another admin was faster: there is nothing to decide any more.
      if (error instanceof ApiError && error.status === 409) close();
    },
  });

  return (
    <AppModal
      title={`Claim Details #${id}`}
      close={close}
      size="xl"
      dirty={notes !== '' && !approve.isSuccess && !reject.isSuccess}
    >
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Fieldset legend="Buyer and order">
            <DescriptionList facts={orderFacts(claim)} />
            <Text size="sm" c="dimmed" mt="sm">
              Leads received
            </Text>
            <Meter
              done={claim.leads_received}
              of={claim.lead_limit}
              label="Leads received of the order"
              showPercent
            />
          </Fieldset>
          <Fieldset legend="Claim">
            <DescriptionList facts={claimFacts(claim)} />
          </Fieldset>
        </SimpleGrid>
        <Fieldset legend="Lead">
          <DescriptionList facts={leadFacts(claim)} />
          <Anchor component={Link} to={`/dashboard/leads/${claim.lead_id}`} size="sm" onClick={close}>
            The history of this lead
          </Anchor>
        </Fieldset>
        <Fieldset legend="Claim reason">
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {claim.claim_reason}
          </Text>
        </Fieldset>
        {claim.claim_status === 'pending' && (
          <Textarea
            label="Admin Notes"
            placeholder="Enter notes or reasons for your decision..."
            description="Optional. The buyer can read them."
            autosize
            minRows={3}
            maxLength={5000}
            value={notes}
            onChange={(event) => setNotes(event.currentTarget.value)}
          />
        )}
        <Group justify="flex-end" className={classes.sticky}>
          <Button variant="default" onClick={close}>
            Close
          </Button>
          {claim.claim_status === 'pending' && (
            <>
              <Button
                color="red.9"
                disabled={busy}
                loading={reject.isPending}
                onClick={() => reject.mutate(decision, decided(DONE.claimRejected(id)))}
              >
                Reject
              </Button>
              <Button
                color="teal.9"
                disabled={busy}
                loading={approve.isPending}
                onClick={() => approve.mutate(decision, decided(DONE.claimApproved(id)))}
              >
                Approve
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </AppModal>
  );
}

function orderFacts(claim: Claim): DescriptionItem[] {
  const created = new Date(claim.order_created_at);
  const facts: DescriptionItem[] = [
    ['Buyer ID', claim.buyer_id],
    ['Buyer email', claim.buyer_email],
    ['Order ID', claim.order_id],
    ['Order number', claim.buyer_order_number || 'N/A'],
    ['Order created', Number.isNaN(created.getTime()) ? 'N/A' : formatDate(created)],
  ];
  const { total_claims, pending_claims, approved_claims, rejected_claims } = claim;
  if (total_claims + pending_claims + approved_claims + rejected_claims > 0)
    facts.push([
      'Claimed leads',
      `${formatNumber(total_claims)} in total: ${pending_claims} pending, ${approved_claims} approved, ${rejected_claims} rejected`,
    ]);
  return facts;
}

function claimFacts(claim: Claim): DescriptionItem[] {
  return [
    ['Submitted', claim.created_at_formatted],
    ['Status', <ClaimBadge key="status" status={claim.claim_status} />],
    ['Processed', claim.processed_at_formatted ?? '–'],
    ['Admin notes', claim.admin_notes || '–'],
  ];
}

function leadFacts(claim: Claim): DescriptionItem[] {
  return [
    ['Name', nameOf(claim)],
    ['Email', claim.email],
    ['Phone', claim.telefon],
    ['Investment amount', formatEuroShort(claim.anlagebetrag)],
    ['Term', countOf(claim.laufzeit, 'month')],
    ['Delivered', claim.delivery_timestamp],
  ];
}

import { Fieldset, SimpleGrid, Stack, Text } from '@mantine/core';
import { formatDate, formatNumber } from '#shared/rules/formats';
import type { Claim } from '../data/claims';
import { useLead } from '../data/leads';
import { nameOf } from '../lead/name';
import { personFacts } from '../lead/person-facts';
import { SamePerson } from '../lead/SamePerson';
import { BuyerLink } from '../ui/BuyerLink';
import { ClaimBadge } from '../ui/badges';
import { type DescriptionItem, DescriptionList } from '../ui/DescriptionList';
import { Meter } from '../ui/Meter';
import { QueryResult } from '../ui/states';
import { TextLink } from '../ui/TextLink';
import { useReloadWarning } from '../ui/unsaved-changes';
import { ClaimEvidence } from './ClaimEvidence';
import { deadlineText } from './deadlines';
import { ReverseDecision } from './ReverseDecision';

interface Props {
  readonly claim: Claim;
  /** As typed so far. */
  readonly notes: string;
  /** Decides as suggested. */
  readonly follow: (status: 'approved' | 'rejected', notes: string) => void;
  /** Called when the link to the lead is followed. */
  readonly onLeave?: () => void;
}

export function ClaimDetails({ claim, notes, follow, onLeave }: Props) {
  const isPending = claim.claim_status === 'pending';
  useReloadWarning(isPending && notes !== '');
  return (
    <Stack gap="md">
      <Fieldset legend="Claim reason">
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{claim.claim_reason}</Text>
      </Fieldset>
      <ClaimEvidence claim={claim} follow={(status, why) => follow(status, notes || why)} />
      {claim.reversible_until !== null && (
        <ReverseDecision claim={claim} until={new Date(claim.reversible_until)} done={onLeave} />
      )}
      {claim.claim_reason_code === 'doppelt' && <DuplicateEvidence leadId={claim.lead_id} />}
      <Fieldset legend="Lead">
        <DescriptionList facts={leadFacts(claim)} />
        <TextLink to={`/dashboard/leads/${claim.lead_id}`} onClick={onLeave}>
          The history of this lead
        </TextLink>
      </Fieldset>
      <SimpleGrid type="container" cols={{ base: 1, '620px': 2 }}>
        <Fieldset legend="Buyer and order">
          <DescriptionList facts={orderFacts(claim)} />
          <Text c="dimmed" mt="sm">
            Leads received
          </Text>
          <Meter
            done={claim.leads_received}
            of={claim.lead_limit}
            label="Leads received in this order"
            showPercent
          />
        </Fieldset>
        <Fieldset legend="Claim">
          <DescriptionList facts={claimFacts(claim)} />
        </Fieldset>
      </SimpleGrid>
    </Stack>
  );
}

/** Leads of the person, if there are others. */
function DuplicateEvidence({ leadId }: { readonly leadId: string }) {
  const lead = useLead(leadId);
  if (!lead.error && !lead.data?.same_person?.length) return null;
  return (
    <Fieldset legend="Same person">
      <QueryResult query={lead} errorTitle="Other leads of this person could not be loaded">
        {(details) => <SamePerson leads={details.same_person} />}
      </QueryResult>
    </Fieldset>
  );
}

function orderFacts(claim: Claim): DescriptionItem[] {
  const created = new Date(claim.order_created_at);
  const facts: DescriptionItem[] = [
    ['Buyer ID', <BuyerLink key="buyer" buyerId={claim.buyer_id} />],
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
  const deadline = deadlineText(claim, new Date());
  return [
    ['Submitted', claim.created_at_formatted],
    ['Status', <ClaimBadge key="status" status={claim.claim_status} />],
    ...(deadline === undefined ? [] : [['Deadline', deadline] as const]),
    ['Processed', claim.processed_at_formatted ?? '–'],
    ['Admin notes', claim.admin_notes || '–'],
  ];
}

function leadFacts(claim: Claim): DescriptionItem[] {
  return [['Name', nameOf(claim)], ...personFacts(claim), ['Delivered', claim.delivery_timestamp]];
}

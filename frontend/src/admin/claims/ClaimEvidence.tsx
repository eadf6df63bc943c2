import { Alert, Fieldset, Group, Text } from '@mantine/core';
import { CHANNEL_DESCRIPTORS } from '#shared/channels/channels';
import type { EvidenceRow } from '#shared/contract/schemas/claims';
import { CLAIM_RULE_NAMES } from '#shared/rules/claim-evidence-rules';
import { formatDateTime } from '#shared/rules/formats';
import { type KnownOfClaim, useClaimEvidence } from '../data/claim-evidence';
import type { Claim } from '../data/claims';
import { ADDRESS_STATES } from '../ui/address-texts';
import { checkText } from '../ui/check-text';
import { type DescriptionItem, DescriptionList } from '../ui/DescriptionList';
import { countOf } from '../ui/labels';
import { QueryResult } from '../ui/states';
import { TextLink } from '../ui/TextLink';
import { ToolButton } from '../ui/ToolButton';

interface Props {
  readonly claim: Claim;
  /** Decides as suggested. */
  readonly follow: (status: 'approved' | 'rejected', notes: string) => void;
}

/** The evidence of a claim and a button for the suggested decision. */
export function ClaimEvidence({ claim, follow }: Props) {
  const known = useClaimEvidence(claim);
  return (
    <Fieldset legend="Evidence">
      <QueryResult query={known} what="Evidence">
        {({ evidence, suggestion }) => (
          <>
            {suggestion !== null && <Suggestion suggestion={suggestion} follow={follow} />}
            {evidence === null ? (
              <Text c="dimmed">No evidence is stored for this claim. It is older than the feature.</Text>
            ) : (
              <DescriptionList facts={factsOf(evidence)} />
            )}
          </>
        )}
      </QueryResult>
    </Fieldset>
  );
}

interface SuggestionProps extends Pick<Props, 'follow'> {
  readonly suggestion: NonNullable<KnownOfClaim['suggestion']>;
}

function Suggestion({ suggestion: { rule, status, text, notes }, follow }: SuggestionProps) {
  return (
    <Alert
      mb="sm"
      color={status === 'approved' ? 'teal' : 'red'}
      title={`Suggested: ${status}. ${CLAIM_RULE_NAMES[rule]}`}
    >
      <Text>{text}</Text>
      <Group mt="xs">
        <ToolButton onClick={() => follow(status, notes)}>
          {status === 'approved' ? 'Approve as suggested' : 'Reject as suggested'}
        </ToolButton>
      </Group>
    </Alert>
  );
}

interface OtherLeadProps {
  readonly lead: Pick<EvidenceRow['duplicates'][number], 'lead_id' | 'display_id' | 'claim_status'>;
  readonly text: string;
}

function OtherLead({ lead: { lead_id, display_id, claim_status }, text }: OtherLeadProps) {
  return (
    <Text>
      <TextLink to={`/dashboard/leads/${lead_id}`} underline="always">
        {display_id}
      </TextLink>
      {text}
      {claim_status !== null && `, claim ${claim_status}`}
    </Text>
  );
}

const at = (instant: string) => formatDateTime(new Date(instant));

function factsOf(evidence: EvidenceRow): DescriptionItem[] {
  const { checks, duplicates, claimed_later, deliveries, delivered_at, opened_at } = evidence;
  const { source_claims, feedback, address } = evidence;
  return [
    [
      'Earlier leads of the buyer',
      duplicates.length === 0 ? (
        'No lead of the same person'
      ) : (
        <>
          {duplicates.map(({ delivered_at: since, same, ...lead }) => (
            <OtherLead key={lead.lead_id} lead={lead} text={`, ${at(since)}, ${sameAs(same)}`} />
          ))}
        </>
      ),
    ],
    ...(claimed_later.length === 0
      ? []
      : [
          [
            'Later leads that were also claimed',
            claimed_later.map(({ same, ...lead }) => (
              <OtherLead key={lead.lead_id} lead={lead} text={`, ${sameAs(same)}`} />
            )),
          ] as const,
        ]),
    ['Reached the buyer', `${delivered(delivered_at)}; ${opened(opened_at)}`],
    [
      'Deliveries',
      deliveries.length === 0
        ? 'None: link only'
        : deliveries
            .map(
              ({ channel, status, attempts }) =>
                `${CHANNEL_DESCRIPTORS[channel].label}: ${status}, ${countOf(attempts.length, 'attempt')}`,
            )
            .join('; '),
    ],
    [
      'Checks',
      checks.length === 0
        ? 'None recorded'
        : checks.map((check) => (
            <Text key={`${check.kind}${check.by}${check.at}`}>{`${checkText(check)}, ${at(check.at)}`}</Text>
          )),
    ],
    ...(address === null
      ? []
      : [['Address', `${ADDRESS_STATES[address.state] ?? address.state}, ${at(address.at)}`] as const]),
    ['Buyer’s feedback', feedback === null ? 'None' : `${SAID[feedback.said]}, ${at(feedback.at)}`],
    ...(source_claims === null
      ? []
      : [
          [
            'Claims on the source',
            `${source_claims.filed} on the leads of ${source_claims.days} days: ${source_claims.approved} approved, ${source_claims.rejected} rejected`,
          ] as const,
        ]),
    ['As of', at(evidence.at)],
  ];
}

const delivered = (instant: string | null) =>
  instant === null ? 'not delivered' : `delivered ${at(instant)}`;
const opened = (instant: string | null) =>
  instant === null ? 'list not opened since' : `list first opened ${at(instant)}`;

const SAME = { phone: 'phone', email: 'e-mail' } as const;
const sameAs = (same: EvidenceRow['duplicates'][number]['same']) =>
  `same ${same.map((field) => SAME[field]).join(' and ')}`;
const SAID = { reached: 'Reached', not_reached: 'Not reached', closed: 'Closed' } as const;

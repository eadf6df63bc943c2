import { Alert, Fieldset, Group, List, Text } from '@mantine/core';
import { CLAIM_RULE_NAMES } from '#shared/rules/claim-evidence-rules';
import { formatDateTime } from '#shared/rules/formats';
import { type KnownOfClaim, useClaimEvidence } from '../data/claim-evidence';
import type { Claim } from '../data/claims';
import { SmallText } from '../ui/SmallText';
import { QueryResult } from '../ui/states';
import { TextLink } from '../ui/TextLink';
import { ToolButton } from '../ui/ToolButton';
import { type Point, pointsOf } from './evidence-points';

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
              <>
                <Points points={pointsOf(evidence, claim.claim_reason_code)} />
                <SmallText>As of {formatDateTime(new Date(evidence.at))}</SmallText>
              </>
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
        <ToolButton needs="approveClaim" onClick={() => follow(status, notes)}>
          {status === 'approved' ? 'Approve as suggested' : 'Reject as suggested'}
        </ToolButton>
      </Group>
    </Alert>
  );
}

const GROUPS = [
  { speaks: 'for', title: 'Speaks for the claim', color: 'var(--tone-good)' },
  { speaks: 'against', title: 'Speaks against the claim', color: 'var(--tone-bad)' },
  { speaks: 'known', title: 'Also known', color: 'dimmed' },
] as const;

/** Groups without a point are omitted. */
function Points({ points }: { readonly points: readonly Point[] }) {
  return (
    <>
      {points.every(({ speaks }) => speaks === 'known') && (
        <Text mb="xs">No stored fact speaks for or against this claim.</Text>
      )}
      {GROUPS.map(({ speaks, title, color }) => {
        const those = points.filter((point) => point.speaks === speaks);
        return (
          those.length > 0 && (
            <section key={speaks} aria-label={title}>
              <Text fw={600} size="sm" c={color}>
                {title}
              </Text>
              <List size="sm" mt={2} mb="sm" pl="lg">
                {those.map(({ lead, text }) => (
                  <List.Item key={`${lead?.lead_id ?? ''}${text}`}>
                    {lead && (
                      <TextLink to={`/dashboard/leads/${lead.lead_id}`} underline="always">
                        Lead {lead.display_id}
                      </TextLink>
                    )}{' '}
                    {text}
                  </List.Item>
                ))}
              </List>
            </section>
          )
        );
      })}
    </>
  );
}

import { Anchor, Button, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { Link } from 'wouter';
import { formatEuroShort } from '#shared/rules/formats';
import type { Claim } from '../data/claims';
import { useDialogs } from '../dialogs/dialogs';
import { nameOf } from '../lead/name';
import { ClaimBadge } from '../ui/badges';
import { actionsColumn, type Column, column } from '../ui/DataTable';
import { TruncatedText } from '../ui/TruncatedText';

/** Together at most 950 pixels: the width of the table in a window of 1280, with both scrollbars. */
export const claimColumns: readonly Column<Claim>[] = [
  column('ID', 54, (claim) => `#${claim.claim_id}`, { key: 'claim_id', sort: 'server' }),
  column('Status', 84, (claim) => <ClaimBadge status={claim.claim_status} />, {
    key: 'claim_status',
    sort: 'server',
  }),
  column('Date', 130, (claim) => claim.created_at_formatted, { key: 'created_at', sort: 'server' }),
  column('Buyer', 110, (claim) => <TruncatedText text={claim.buyer_email} />, {
    key: 'buyer_email',
    sort: 'server',
  }),
  column('Order', 58, (claim) => `#${claim.buyer_order_number || claim.order_id}`, {
    key: 'order_id',
    sort: 'server',
  }),
  column(
    'Lead',
    150,
    (claim) => (
      <div>
        <Anchor
          component={Link}
          to={`/dashboard/leads/${claim.lead_id}`}
          size="sm"
          truncate="end"
          display="block"
        >
          {nameOf(claim)}
        </Anchor>
        {/* The number is short and comes first: it is read whole where the address is cut. */}
        <Text size="xs" c="dimmed" truncate="end" title={`${claim.telefon} · ${claim.email}`}>
          {claim.telefon} · {claim.email}
        </Text>
      </div>
    ),
    { key: 'nachname', grows: true, sort: 'server' },
  ),
  column('Investment', 94, (claim) => formatEuroShort(claim.anlagebetrag), {
    key: 'anlagebetrag',
    align: 'right',
    sort: 'server',
  }),
  column('Reason', 172, (claim) => <TruncatedText text={claim.claim_reason} lines={2} />, {
    key: 'claim_reason',
    grows: true,
    sort: 'server',
  }),
  actionsColumn(98, (claim) => <DetailsButton claim={claim} />),
];

function DetailsButton({ claim }: { claim: Claim }) {
  const dialogs = useDialogs();
  return (
    <Button
      size="compact-xs"
      variant="default"
      leftSection={<IconEye size={14} />}
      aria-label={`Details of claim ${claim.claim_id}`}
      onClick={() => dialogs.open('claim', { claim })}
    >
      Details
    </Button>
  );
}

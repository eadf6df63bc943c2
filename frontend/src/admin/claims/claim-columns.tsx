import { Anchor, Button, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { Link } from 'wouter';
import { formatEuroShort } from '#shared/rules/formats';
import type { Claim } from '../data/claims';
import { useDialogs } from '../dialogs/dialogs';
import { nameOf } from '../lead/name';
import { ClaimBadge } from '../ui/badges';
import { actionsColumn, type Column } from '../ui/DataTable';
import { TruncatedText } from '../ui/TruncatedText';

/** Together at most 950 pixels: the width of the table in a window of 1280, with both scrollbars. */
export const claimColumns: readonly Column<Claim>[] = [
  { key: 'claim_id', title: 'ID', width: 54, sort: 'server', cell: (claim) => `#${claim.claim_id}` },
  {
    key: 'claim_status',
    title: 'Status',
    width: 84,
    sort: 'server',
    cell: (claim) => <ClaimBadge status={claim.claim_status} />,
  },
  {
    key: 'created_at',
    title: 'Date',
    width: 130,
    sort: 'server',
    cell: (claim) => claim.created_at_formatted,
  },
  {
    key: 'buyer_email',
    title: 'Buyer',
    width: 110,
    sort: 'server',
    cell: (claim) => <TruncatedText text={claim.buyer_email} />,
  },
  {
    key: 'order_id',
    title: 'Order',
    width: 58,
    sort: 'server',
    cell: (claim) => `#${claim.buyer_order_number || claim.order_id}`,
  },
  {
    key: 'nachname',
    title: 'Lead',
    width: 150,
    grows: true,
    sort: 'server',
    cell: (claim) => (
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
  },
  {
    key: 'anlagebetrag',
    title: 'Investment',
    width: 94,
    align: 'right',
    sort: 'server',
    cell: (claim) => formatEuroShort(claim.anlagebetrag),
  },
  {
    key: 'claim_reason',
    title: 'Reason',
    width: 172,
    grows: true,
    sort: 'server',
    cell: (claim) => <TruncatedText text={claim.claim_reason} lines={2} />,
  },
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

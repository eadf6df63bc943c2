import { Button } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { formatEuroShort } from '#shared/rules/formats';
import { orderNumberText } from '#shared/rules/order-texts';
import type { Claim } from '../data/claims';
import { useDialogs } from '../dialogs/dialogs';
import { nameOf } from '../lead/name';
import { BuyerLink } from '../ui/BuyerLink';
import { ClaimBadge } from '../ui/badges';
import { actionsColumn, type Column, column } from '../ui/DataTable';
import { NameText } from '../ui/NameText';
import { SmallText } from '../ui/SmallText';
import { TextLink } from '../ui/TextLink';
import { TruncatedText } from '../ui/TruncatedText';

const by = (key: string) => ({ key, sort: 'server' }) as const;

/** Together at most 950 pixels: the width of the table in a window of 1280, with both scrollbars. */
export const claimColumns: readonly Column<Claim>[] = [
  column('ID', 54, (claim) => `#${claim.claim_id}`, by('claim_id')),
  column('Status', 84, (claim) => <ClaimBadge status={claim.claim_status} />, by('claim_status')),
  column('Date', 130, (claim) => claim.created_at_formatted, by('created_at')),
  column('Buyer', 135, (claim) => <BuyerLink buyerId={claim.buyer_id} text={claim.buyer_email} />, {
    ...by('buyer_email'),
    grows: true,
  }),
  column('Order', 58, (claim) => orderNumberText(claim.buyer_order_number || claim.order_id), by('order_id')),
  column(
    'Lead',
    147,
    (claim) => (
      <div>
        <TextLink to={`/dashboard/leads/${claim.lead_id}`}>
          <NameText text={nameOf(claim)} />
        </TextLink>
        {/* The number is short and comes first: it is read whole where the address is cut. */}
        <SmallText truncate="end" title={`${claim.telefon} · ${claim.email}`}>
          {claim.telefon} · {claim.email}
        </SmallText>
      </div>
    ),
    { ...by('nachname'), grows: true },
  ),
  column('Investment', 94, (claim) => formatEuroShort(claim.anlagebetrag), {
    ...by('anlagebetrag'),
    align: 'right',
  }),
  column('Reason', 150, (claim) => <TruncatedText text={claim.claim_reason} lines={2} />, {
    ...by('claim_reason'),
    grows: true,
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

import { formatDateTime, formatEuroShort } from '#shared/rules/formats';
import type { ListedLead } from '../data/lead-list';
import { BuyerLink } from '../ui/BuyerLink';
import { ClaimBadge, DeliveryBadge } from '../ui/badges';
import { type Column, column } from '../ui/DataTable';
import { countOf } from '../ui/labels';
import { NameText } from '../ui/NameText';
import { SmallText } from '../ui/SmallText';
import { Tag } from '../ui/Tag';
import { TextLink } from '../ui/TextLink';
import { STATUS_TONES, textOf } from './lead-texts';

export const nameOf = ({ vorname, nachname }: ListedLead): string => `${vorname} ${nachname}`;

const timeText = (instant: string | null) => (instant === null ? '–' : formatDateTime(new Date(instant)));

/** Shown only if chosen. */
export const RARE_COLUMNS = ['Assigned', 'Consent', 'Type'];

/** Together at most 950 pixels without the rare ones: the width of the table in a window of 1280, with both scrollbars. */
export const leadColumns: readonly Column<ListedLead>[] = [
  column(
    'Lead',
    160,
    (lead) => (
      <>
        <TextLink to={`/dashboard/leads/${lead.lead_id}`}>
          <NameText text={nameOf(lead)} fw={500} />
        </TextLink>
        <SmallText>{lead.display_id}</SmallText>
      </>
    ),
    { grows: true },
  ),
  column('Received', 130, (lead) => timeText(lead.received_at), { key: 'time', sort: 'server' }),
  column('Assigned', 130, (lead) => timeText(lead.assigned_at)),
  column('Amount', 90, (lead) => formatEuroShort(lead.anlagebetrag), {
    key: 'amount',
    align: 'right',
    sort: 'server',
  }),
  column('Term', 80, (lead) => countOf(lead.laufzeit, 'month'), { align: 'right' }),
  column('Source', 100, ({ source }) => (source === null ? '–' : <NameText text={source.name} />), {
    grows: true,
  }),
  column('Status', 92, ({ status }) => <Tag tone={STATUS_TONES[status]}>{textOf(status)}</Tag>),
  column('Buyer', 110, ({ buyer_id }) => (buyer_id === null ? '–' : <BuyerLink buyerId={buyer_id} />), {
    grows: true,
  }),
  column('Delivery', 94, ({ delivery }) => (delivery === null ? '–' : <DeliveryBadge status={delivery} />)),
  column('Claim', 94, ({ claim_status }) =>
    claim_status === null ? '–' : <ClaimBadge status={claim_status} />,
  ),
  column('Consent', 80, ({ consent }) => (consent ? 'Yes' : 'No')),
  column('Type', 104, ({ lead_type }) => (lead_type === null ? '–' : textOf(lead_type))),
];

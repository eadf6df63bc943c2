import { Badge, Group, Text } from '@mantine/core';
import { ALL_CHANNELS, CHANNEL_DESCRIPTORS } from '#shared/channels/channels';
import { formatEuroShort } from '#shared/rules/formats';
import { isPaused } from '../buyers/pausing';
import { type Buyer, isActiveBuyer } from '../data/buyers';
import { type Column, figureColumn } from '../ui/DataTable';
import { percentText } from '../ui/labels';
import { BuyerActions, BuyerLink, BuyerProgress } from './buyer-cells';

/** Together at most 950 pixels: the width of the table in a window of 1280, with both scrollbars. */
export const buyerColumns: readonly Column<Buyer>[] = [
  {
    key: 'buyer_email',
    title: 'Buyer',
    width: 134,
    grows: true,
    sort: (buyer) => buyer.buyer_email,
    cell: (buyer) => (
      <div>
        <Text size="sm" fw={500} truncate="end" title={buyer.buyer_email}>
          {buyer.buyer_email}
        </Text>
        <Text size="xs" c="dimmed" truncate="end">
          {buyer.buyer_id}
          {buyer.deleted ? ' · deleted' : !isActiveBuyer(buyer) && ' · inactive'}
        </Text>
        {isPaused(buyer) && (
          <Badge size="xs" color="yellow.4">
            Paused
          </Badge>
        )}
      </div>
    ),
  },
  figureColumn('probability', 'Probability', 106, percentText),
  figureColumn('min_investment', 'Min investment', 108, formatEuroShort),
  figureColumn('price_per_lead', 'Price per lead', 84, formatEuroShort),
  { key: 'type', title: 'Type', width: 92, cell: (buyer) => <TypeBadges buyer={buyer} /> },
  {
    ...figureColumn('order_id', 'Order', 70, String),
    cell: (buyer) =>
      buyer.order_id === null ? (
        '–'
      ) : (
        <div title={`Order ID ${buyer.order_id}, order number ${buyer.buyer_order_number} of this buyer`}>
          {buyer.order_id}
          <Text size="xs" c="dimmed">
            #{buyer.buyer_order_number}
          </Text>
        </div>
      ),
  },
  {
    key: 'progress',
    title: 'Progress',
    width: 116,
    sort: (buyer) => (buyer.lead_limit > 0 ? buyer.leads_received / buyer.lead_limit : -1),
    cell: (buyer) => <BuyerProgress buyer={buyer} />,
  },
  { key: 'link', title: 'Leads link', width: 106, cell: (buyer) => <BuyerLink buyer={buyer} /> },
  {
    key: 'actions',
    title: 'Actions',
    width: 134,
    pinned: true,
    cell: (buyer) => <BuyerActions buyer={buyer} />,
  },
];

/** Partners first, e-mail last. */
const BADGE_ORDER = [...ALL_CHANNELS.filter(({ id }) => id !== 'email'), CHANNEL_DESCRIPTORS.email];

function TypeBadges({ buyer }: { buyer: Buyer }) {
  return (
    <Group gap={4} wrap="wrap">
      <Badge size="sm" color={buyer.buyer_type === 'prepay' ? 'teal.9' : 'blue.8'} title={buyer.buyer_type}>
        {buyer.buyer_type === 'prepay' ? 'Pre' : 'Post'}
      </Badge>
      {BADGE_ORDER.filter(({ flag }) => buyer[flag]).map(({ id, badge, label }) => (
        <Badge key={id} size="sm" color={badge.color} title={label}>
          {badge.text}
        </Badge>
      ))}
      {buyer.manual_review && (
        <Badge size="sm" color="yellow.4" title="Leads wait for manual review">
          review
        </Badge>
      )}
    </Group>
  );
}

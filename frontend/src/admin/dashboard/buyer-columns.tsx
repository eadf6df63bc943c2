import { Group, Text } from '@mantine/core';
import { Suspense } from 'react';
import { ALL_CHANNEL_NAMES, CHANNEL_NAMES } from '#shared/channels/names';
import { formatEuro, formatEuroShort } from '#shared/rules/formats';
import { lazyComponent } from '../../ui/lazy-component';
import { DeliveryProblemTag } from '../buyers/DeliveryProblem';
import { isPaused } from '../buyers/pausing';
import { type Buyer, isActiveBuyer } from '../data/buyers';
import { addressTag, addressText } from '../ui/address-texts';
import { actionsColumn, type Column, column, figureColumn } from '../ui/DataTable';
import { percentText } from '../ui/labels';
import { SmallText } from '../ui/SmallText';
import { Tag } from '../ui/Tag';
import { BuyerActions, BuyerLink, BuyerProgress } from './buyer-cells';

// Most orders have neither caps nor hours.
const PaceLine = lazyComponent(async () => (await import('../orders/PaceLines')).PaceLine);

const hasPace = ({ allowed_today, weekly_cap, ends_on, paused_by }: Buyer) =>
  [allowed_today, weekly_cap, ends_on, paused_by].some((one) => one !== null);

/** Together at most 950 pixels: the width of the table in a window of 1280, with both scrollbars. */
export const buyerColumns: readonly Column<Buyer>[] = [
  column(
    'Buyer',
    120,
    (buyer) => (
      <div>
        <Text fw={500} truncate="end" title={buyer.buyer_email}>
          {buyer.buyer_email}
        </Text>
        <SmallText truncate="end">
          {buyer.buyer_id}
          {buyer.deleted ? ' · deleted' : !isActiveBuyer(buyer) && ' · inactive'}
        </SmallText>
        {buyer.email_state !== null && (
          <Tag
            tone={buyer.email_state.state === 'bounced_soft' ? 'wait' : 'bad'}
            title={addressText(buyer.email_state)}
          >
            {addressTag(buyer.email_state)}
          </Tag>
        )}
        <DeliveryProblemTag buyer={buyer} />
        {isPaused(buyer) && <Tag tone="wait">Paused</Tag>}
        {buyer.order_status === 'Active' && hasPace(buyer) && (
          <Suspense fallback={<Text size="xs">&nbsp;</Text>}>
            <PaceLine order={buyer} />
          </Suspense>
        )}
      </div>
    ),
    { key: 'buyer_email', grows: true, sort: (buyer) => buyer.buyer_email },
  ),
  figureColumn('probability', 'Probability', 86, percentText),
  figureColumn('min_investment', 'Min investment', 112, formatEuroShort),
  figureColumn('price_per_lead', 'Price per lead', 98, formatEuro),
  column('Type', 104, (buyer) => <TypeBadges buyer={buyer} />),
  {
    ...figureColumn('order_id', 'Order', 56, String),
    cell: (buyer) =>
      buyer.order_id === null ? (
        '–'
      ) : (
        <div title={`Order ID ${buyer.order_id}, order number ${buyer.buyer_order_number} of this buyer`}>
          {buyer.order_id}
          <SmallText>#{buyer.buyer_order_number}</SmallText>
        </div>
      ),
  },
  column('Progress', 108, (buyer) => <BuyerProgress buyer={buyer} />, {
    key: 'progress',
    sort: (buyer) => (buyer.lead_limit > 0 ? buyer.leads_received / buyer.lead_limit : -1),
  }),
  column('Leads link', 106, (buyer) => <BuyerLink buyer={buyer} />),
  actionsColumn(100, (buyer) => <BuyerActions buyer={buyer} />),
];

/** Partners first, e-mail last. */
const BADGE_ORDER = [...ALL_CHANNEL_NAMES.filter(({ id }) => id !== 'email'), CHANNEL_NAMES.email];

function TypeBadges({ buyer }: { buyer: Buyer }) {
  return (
    <Group gap={4} wrap="wrap">
      <Tag tone={buyer.buyer_type === 'prepay' ? 'good' : 'info'} title={buyer.buyer_type}>
        {buyer.buyer_type === 'prepay' ? 'Pre' : 'Post'}
      </Tag>
      {BADGE_ORDER.filter(({ flag }) => buyer[flag]).map(({ id, badge, label }) => (
        <Tag key={id} tone="neutral" title={label}>
          {badge}
        </Tag>
      ))}
      {buyer.manual_review && (
        <Tag tone="wait" title="Leads wait for manual review">
          review
        </Tag>
      )}
    </Group>
  );
}

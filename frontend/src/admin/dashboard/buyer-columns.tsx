import { ALL_CHANNEL_NAMES, CHANNEL_NAMES } from '#shared/channels/names';
import { formatEuro, formatEuroShort } from '#shared/rules/formats';
import { orderNumberText, orderText } from '#shared/rules/order-texts';
import { DeliveryProblemTag } from '../buyers/DeliveryProblem';
import { isPaused } from '../buyers/pausing';
import { type Buyer, isActiveBuyer } from '../data/buyers';
import { addressTag, addressText } from '../ui/address-texts';
import { BuyerLink } from '../ui/BuyerLink';
import { actionsColumn, type Column, column, figureColumn } from '../ui/DataTable';
import { percentText } from '../ui/labels';
import { NameText } from '../ui/NameText';
import lines from '../ui/rows.module.css';
import { SmallText } from '../ui/SmallText';
import { Tag } from '../ui/Tag';
import classes from './BuyersTable.module.css';
import { BuyerActions, BuyerProgress, LeadsLink } from './buyer-cells';

/** Together at most 950 pixels: the width of the table in a window of 1280, with both scrollbars. */
export const buyerColumns: readonly Column<Buyer>[] = [
  column(
    'Buyer',
    196,
    (buyer) => (
      <>
        <NameText text={buyer.buyer_email} fw={500} />
        <div className={lines.inline}>
          <BuyerLink buyerId={buyer.buyer_id} size="xs" />
          <BuyerState buyer={buyer} />
        </div>
      </>
    ),
    { key: 'buyer_email', grows: true, sort: (buyer) => buyer.buyer_email },
  ),
  figureColumn('probability', 'Probability', 86, percentText),
  figureColumn('min_investment', 'Min investment', 112, formatEuroShort),
  figureColumn('price_per_lead', 'Price per lead', 98, formatEuro),
  column('Type', 120, (buyer) => <TypeBadges buyer={buyer} />, { grows: true }),
  {
    ...figureColumn('order_id', 'Order', 56, String),
    cell: (buyer) =>
      buyer.order_id === null ? (
        '–'
      ) : (
        <div title={orderText(buyer)}>
          {buyer.order_id}
          <SmallText>{orderNumberText(buyer.buyer_order_number ?? 0)}</SmallText>
        </div>
      ),
  },
  column('Progress', 110, (buyer) => <BuyerProgress buyer={buyer} />, {
    key: 'progress',
    grows: true,
    sort: (buyer) => (buyer.lead_limit > 0 ? buyer.leads_received / buyer.lead_limit : -1),
  }),
  column('Leads link', 76, (buyer) => <LeadsLink buyer={buyer} />),
  actionsColumn(100, (buyer) => <BuyerActions buyer={buyer} />),
];

/** Partners first, e-mail last. */
const BADGE_ORDER = [...ALL_CHANNEL_NAMES.filter(({ id }) => id !== 'email'), CHANNEL_NAMES.email];

function TypeBadges({ buyer }: { buyer: Buyer }) {
  return (
    <div className={classes.badges}>
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
    </div>
  );
}

/** What is wrong or special with a buyer, next to its ID. */
function BuyerState({ buyer }: { buyer: Buyer }) {
  const { email_state: address } = buyer;
  return (
    <>
      {buyer.deleted && <SmallText>deleted</SmallText>}
      {!isActiveBuyer(buyer) && !buyer.deleted && !isPaused(buyer) && <SmallText>inactive</SmallText>}
      <DeliveryProblemTag buyer={buyer} />
      {address !== null && (
        <Tag tone={address.state === 'bounced_soft' ? 'wait' : 'bad'} title={addressText(address)}>
          {addressTag(address)}
        </Tag>
      )}
      {isPaused(buyer) && <Tag tone="wait">Paused</Tag>}
    </>
  );
}

import { CHANNEL_NAMES } from '#shared/channels/names';
import { formatDateTime } from '#shared/rules/formats';
import type { Delivery } from '../data/deliveries';
import { AttemptList, ResendButton } from '../lead/DeliveryHistory';
import { deliveryFacts } from '../lead/partner-reason';
import { BuyerLink } from '../ui/BuyerLink';
import { DeliveryBadge } from '../ui/badges';
import { actionsColumn, type Column, column, DataTable } from '../ui/DataTable';
import { TextLink } from '../ui/TextLink';
import { TruncatedText } from '../ui/TruncatedText';

interface Props {
  readonly deliveries: readonly Delivery[];
  /** Columns that say the same in every row. */
  readonly hidden?: readonly string[];
}

/** Deliveries with their errors. */
export function DeliveryTable({ deliveries, ...props }: Props) {
  return (
    <DataTable
      label="Deliveries"
      columns={columns}
      {...props}
      rows={deliveries}
      rowKey={(delivery) => `${delivery.lead_id}-${delivery.channel}`}
      cards
    />
  );
}

const columns: readonly Column<Delivery>[] = [
  column('Lead', 90, (delivery) => (
    <TextLink to={`/dashboard/leads/${delivery.lead_id}`}>{delivery.display_id}</TextLink>
  )),
  column('Buyer', 120, (delivery) => <BuyerLink buyerId={delivery.buyer_id} />, { grows: true }),
  column('Channel', 132, (delivery) => CHANNEL_NAMES[delivery.channel].label),
  column('Status', 95, (delivery) => <DeliveryBadge status={delivery.status} />),
  column('Last change', 145, (delivery) => formatDateTime(new Date(delivery.updated_at))),
  column(
    'Event',
    272,
    (delivery) => (
      <>
        <TruncatedText text={deliveryFacts(delivery).join(' · ')} />
        <AttemptList delivery={delivery} />
      </>
    ),
    { grows: true },
  ),
  actionsColumn(96, (delivery) => <ResendButton delivery={delivery} />, 'resendDelivery'),
];

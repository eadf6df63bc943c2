import { Anchor, Group, Text } from '@mantine/core';
import { IconEdit, IconListDetails } from '@tabler/icons-react';
import { Suspense } from 'react';
import { formatNumber } from '#shared/rules/formats';
import { lazyComponent } from '../../ui/lazy-component';
import { type Buyer, useRolledBack } from '../data/buyers';
import { useMay } from '../data/rights';
import { useDialogs } from '../dialogs/dialogs';
import { LeadsFigure } from '../leads/LeadsFigure';
import { IconButton } from '../ui/IconButton';
import { countOf } from '../ui/labels';
import { Meter } from '../ui/Meter';
import { RowMenu } from '../ui/RowMenu';
import { SmallText } from '../ui/SmallText';
import { Tag } from '../ui/Tag';
import classes from './BuyersTable.module.css';

// Most orders have neither caps nor hours.
const PaceLine = lazyComponent(async () => (await import('../orders/PaceLines')).PaceLine);
const BuyerMenu = lazyComponent(async () => (await import('./BuyerMenu')).BuyerMenu);

const hasPace = ({ allowed_today, weekly_cap, ends_on, paused_by }: Buyer) =>
  [allowed_today, weekly_cap, ends_on, paused_by].some((one) => one !== null);

export function BuyerProgress({ buyer }: { buyer: Buyer }) {
  const rolledBack = useRolledBack(buyer.buyer_id);
  const owed = buyer.reimbursement_pending;
  if (buyer.order_id === null) return <Text c="dimmed">No order</Text>;
  return (
    <div className={rolledBack ? classes.flash : undefined} data-rolled-back={rolledBack || undefined}>
      <Meter
        done={buyer.leads_received}
        of={buyer.lead_limit}
        label={`Order ${buyer.order_id} delivered`}
        figure={
          <LeadsFigure
            figure={buyer.leads_received}
            filter={{ order_id: String(buyer.order_id) }}
            of={buyer.buyer_id}
          />
        }
      >
        {owed > 0 && (
          <SmallText title={`${countOf(owed, 'replacement')} owed`}>{formatNumber(owed)}&nbsp;owed</SmallText>
        )}
        {buyer.order_status === 'Active' && hasPace(buyer) && (
          <Suspense fallback={null}>
            <PaceLine order={buyer} />
          </Suspense>
        )}
      </Meter>
    </div>
  );
}

export function LeadsLink({ buyer: { buyer_id, order_id, excel_link } }: { buyer: Buyer }) {
  const may = useMay();
  if (order_id === null) return <Text c="dimmed">–</Text>;
  if (excel_link === null) return <Tag tone="neutral">Off</Tag>;
  // The page behind the link has exports.
  if (!may('exportPerson')) return <Tag tone="neutral">On</Tag>;
  return (
    <Anchor href={excel_link} target="_blank" rel="noreferrer" aria-label={`Open (${buyer_id})`}>
      Open
    </Anchor>
  );
}

export function BuyerActions({ buyer }: { buyer: Buyer }) {
  const dialogs = useDialogs();
  const id = buyer.buyer_id;

  const orders = (
    <IconButton
      label={`View orders of ${id}`}
      icon={IconListDetails}
      onClick={() => dialogs.open('buyer-orders', { buyerId: id })}
    />
  );
  if (buyer.deleted) return orders;
  return (
    <Group gap={2} wrap="nowrap">
      <IconButton
        label={`Edit ${id}`}
        needs="updateBuyer"
        icon={IconEdit}
        onClick={() => dialogs.open('edit-buyer', { buyer })}
      />
      {orders}
      <RowMenu of={id}>{(isOpen) => <BuyerMenu buyer={buyer} isOpen={isOpen} />}</RowMenu>
    </Group>
  );
}

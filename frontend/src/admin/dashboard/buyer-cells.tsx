import { Anchor, Group, Text } from '@mantine/core';
import { IconEdit, IconListDetails } from '@tabler/icons-react';
import { lazyComponent } from '../../ui/lazy-component';
import { type Buyer, useRolledBack } from '../data/buyers';
import { useDialogs } from '../dialogs/dialogs';
import { IconButton } from '../ui/IconButton';
import { countOf } from '../ui/labels';
import { Meter } from '../ui/Meter';
import { RowMenu } from '../ui/RowMenu';
import { SmallText } from '../ui/SmallText';
import { Tag } from '../ui/Tag';
import classes from './BuyersTable.module.css';

const BuyerMenu = lazyComponent(async () => (await import('./BuyerMenu')).BuyerMenu);

export function BuyerProgress({ buyer }: { buyer: Buyer }) {
  const rolledBack = useRolledBack(buyer.buyer_id);
  if (buyer.order_id === null) return <Text c="dimmed">No order</Text>;
  return (
    <div className={rolledBack ? classes.flash : undefined} data-rolled-back={rolledBack || undefined}>
      <Meter done={buyer.leads_received} of={buyer.lead_limit} label={`Order ${buyer.order_id} delivered`} />
      {buyer.reimbursement_pending > 0 && (
        <SmallText>{countOf(buyer.reimbursement_pending, 'replacement')} owed</SmallText>
      )}
    </div>
  );
}

export function BuyerLink({ buyer: { buyer_id, order_id, excel_link } }: { buyer: Buyer }) {
  if (order_id === null) return <Text c="dimmed">–</Text>;
  if (excel_link === null) return <Tag tone="neutral">Off</Tag>;
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
        icon={IconEdit}
        onClick={() => dialogs.open('edit-buyer', { buyer })}
      />
      {orders}
      <RowMenu of={id}>{(isOpen) => <BuyerMenu buyer={buyer} isOpen={isOpen} />}</RowMenu>
    </Group>
  );
}

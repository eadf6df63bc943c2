import { Group, Text } from '@mantine/core';
import {
  IconEdit,
  IconHelpCircle,
  IconListDetails,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconShoppingCartPlus,
  IconTrash,
} from '@tabler/icons-react';
import { usePauseBuyer } from '../buyers/pausing';
import { type Buyer, useRolledBack } from '../data/buyers';
import { useApiMutation } from '../data/mutation';
import { useDialogs } from '../dialogs/dialogs';
import { CONFIRM, whyNoLeads } from '../texts';
import { CopyLink } from '../ui/CopyLink';
import { IconButton } from '../ui/IconButton';
import { countOf } from '../ui/labels';
import { Meter } from '../ui/Meter';
import { SmallText } from '../ui/SmallText';
import { Tag } from '../ui/Tag';
import classes from './BuyersTable.module.css';

export function BuyerProgress({ buyer }: { buyer: Buyer }) {
  const dialogs = useDialogs();
  const rolledBack = useRolledBack(buyer.buyer_id);
  if (buyer.order_id === null)
    return (
      <Group gap={6} wrap="nowrap">
        <Text c="dimmed">No order</Text>
        {!buyer.deleted && (
          <IconButton
            label={`New order for ${buyer.buyer_id}`}
            icon={IconShoppingCartPlus}
            iconSize={14}
            onClick={() => dialogs.open('create-order', { buyerId: buyer.buyer_id })}
          />
        )}
      </Group>
    );
  return (
    <Group
      gap={6}
      wrap="nowrap"
      className={rolledBack ? classes.flash : undefined}
      data-rolled-back={rolledBack || undefined}
    >
      <div style={{ flex: 1 }}>
        <Meter
          done={buyer.leads_received}
          of={buyer.lead_limit}
          label={`Order ${buyer.order_id} delivered`}
        />
        {buyer.reimbursement_pending > 0 && (
          <SmallText>{countOf(buyer.reimbursement_pending, 'replacement')} owed</SmallText>
        )}
      </div>
      {!buyer.deleted && (
        <IconButton
          label={`Change lead limit of ${buyer.buyer_id}`}
          icon={IconPencil}
          iconSize={14}
          onClick={() =>
            dialogs.open('order-limit', { buyerId: buyer.buyer_id, limit: buyer.lead_limit, caps: buyer })
          }
        />
      )}
    </Group>
  );
}

export function BuyerLink({ buyer }: { buyer: Buyer }) {
  const dialogs = useDialogs();
  const regenerate = useApiMutation('regenerateToken');
  if (buyer.order_id === null) return <Text c="dimmed">–</Text>;
  const renew = async () => {
    const agreed =
      buyer.excel_link === null ||
      (await dialogs.confirm({
        title: 'Regenerate link',
        text: CONFIRM.regenerate(buyer.buyer_id),
        action: 'Regenerate',
      }));
    if (!agreed) return;
    regenerate.mutate(
      { params: { buyerId: buyer.buyer_id } },
      {
        onSuccess: ({ excel_link }) =>
          dialogs.open('new-link', { buyerId: buyer.buyer_id, link: excel_link }),
      },
    );
  };
  return (
    <Group gap={4} wrap="nowrap">
      {buyer.excel_link === null ? (
        <Tag tone="neutral">Off</Tag>
      ) : (
        <CopyLink href={buyer.excel_link} of={buyer.buyer_id} />
      )}
      {!buyer.deleted && (
        <IconButton
          label={`Regenerate link of ${buyer.buyer_id}`}
          icon={IconRefresh}
          iconSize={14}
          loading={regenerate.isPending}
          onClick={() => void renew()}
        />
      )}
    </Group>
  );
}

export function BuyerActions({ buyer }: { buyer: Buyer }) {
  const dialogs = useDialogs();
  const pause = usePauseBuyer();
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
        label={whyNoLeads(id)}
        icon={IconHelpCircle}
        onClick={() => dialogs.open('eligibility', { buyerId: id })}
      />
      <IconButton
        label={`Edit ${id}`}
        icon={IconEdit}
        onClick={() => dialogs.open('edit-buyer', { buyer })}
      />
      {orders}
      <IconButton
        label={buyer.active === 1 ? `Pause ${id}` : `Resume ${id}`}
        icon={buyer.active === 1 ? IconPlayerPause : IconPlayerPlay}
        disabled={buyer.order_id === null}
        loading={pause.isPending}
        onClick={() => pause.mutate({ buyerId: id, isPaused: buyer.active === 1 })}
      />
      <IconButton
        label={`Delete ${id}`}
        danger
        icon={IconTrash}
        onClick={() => dialogs.open('delete-buyer', { buyer })}
      />
    </Group>
  );
}

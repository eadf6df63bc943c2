import { useBuyer } from '../data/buyers';
import '@mantine/core/styles/Tabs.css';
import { Button, Group, Stack, Tabs, Text } from '@mantine/core';
import { IconArrowBackUp, IconMessage, IconPencil, IconRepeat, IconTrash } from '@tabler/icons-react';
import { formatEuro } from '#shared/rules/formats';
import { orderNumberText } from '#shared/rules/order-texts';
import { useExceededSum } from '../buyers/exceeded-sum';
import { useApiMutation } from '../data/mutation';
import { type Order, useBuyerOrders } from '../data/orders';
import { type DialogInput, useDialogs } from '../dialogs/dialogs';
import { AppModal } from '../ui/AppModal';
import { OrderBadge } from '../ui/badges';
import { actionsColumn, type Column, column, DataTable } from '../ui/DataTable';
import { IconButton } from '../ui/IconButton';
import { countOf } from '../ui/labels';
import { Meter } from '../ui/Meter';
import { SmallText } from '../ui/SmallText';
import { EmptyState, QueryResult } from '../ui/states';
import { ToolButton } from '../ui/ToolButton';
import { TruncatedText } from '../ui/TruncatedText';
import { BuyerReplacements } from './BuyerReplacements';
import { BuyerStatement } from './BuyerStatement';
import { OrderLink } from './OrderLink';
import { PaceLines } from './PaceLines';
import { useDeleteOrder } from './use-delete-order';

/** All orders that a buyer ever had, all replacements, and the statement. */
export function BuyerOrdersDialog({ buyerId, close }: DialogInput<'buyer-orders'>) {
  return (
    <AppModal title={`Orders for buyer ${buyerId}`} close={close} size="90rem">
      <Tabs defaultValue="orders" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="orders">Orders</Tabs.Tab>
          <Tabs.Tab value="replacements">Replacements</Tabs.Tab>
          <Tabs.Tab value="statement">Statement</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="orders">
          <BuyerOrders buyerId={buyerId} />
        </Tabs.Panel>
        <Tabs.Panel value="replacements">
          <BuyerReplacements buyerId={buyerId} leave={close} />
        </Tabs.Panel>
        <Tabs.Panel value="statement">
          <BuyerStatement buyerId={buyerId} />
        </Tabs.Panel>
      </Tabs>
    </AppModal>
  );
}

function BuyerOrders({ buyerId }: { buyerId: string }) {
  const orders = useBuyerOrders(buyerId);
  const isDeleted = useBuyer(buyerId)?.deleted === true;
  const restore = useApiMutation('restoreLastDeletedOrder');
  const openEditor = useExceededSum();
  const dialogs = useDialogs();
  return (
    <QueryResult query={orders} what="The orders">
      {(rows) => {
        const canRestore =
          rows.some(({ status }) => status === 'Deleted') && !rows.some(({ status }) => status === 'Active');
        return (
          <Stack gap="sm">
            <Group>
              <Button
                size="xs"
                disabled={isDeleted}
                onClick={() => dialogs.open('create-order', { buyerId })}
              >
                Create Order
              </Button>
              <ToolButton
                icon={IconArrowBackUp}
                disabled={!canRestore || isDeleted}
                loading={restore.isPending}
                onClick={() =>
                  restore.mutate({ params: { buyerId } }, { onError: (error) => openEditor(buyerId, error) })
                }
              >
                Restore last deleted order
              </ToolButton>
            </Group>
            {rows.length === 0 ? (
              <EmptyState title="No orders yet" hint="Create an order so that this buyer gets leads." />
            ) : (
              <DataTable
                label={`Orders for buyer ${buyerId}`}
                columns={columns}
                rows={rows}
                rowKey={(order) => order.order_id}
                maxHeight="60vh"
                cards
              />
            )}
          </Stack>
        );
      }}
    </QueryResult>
  );
}

/** Together at most 1,100 pixels: the width of the dialog in a window of 1280. */
const columns: readonly Column<Order>[] = [
  column('Order', 100, (order) => (
    <div>
      <Text fw={500}>{orderNumberText(order.buyer_order_number)}</Text>
      <SmallText>Order ID {order.order_id}</SmallText>
      {order.renewed_as !== null && <SmallText>followed by {order.renewed_as}</SmallText>}
      {order.renewed_as === null && order.renewal === 'auto' && <SmallText>renews automatically</SmallText>}
    </div>
  )),
  column('Status', 100, (order) => <OrderBadge status={order.status} />),
  column('Created', 140, (order) => order.order_created_at_formatted),
  column('Progress', 110, (order) => (
    <div>
      <Meter done={order.leads_received} of={order.lead_limit} label={`Order ${order.order_id} delivered`} />
      {order.status === 'Active' && <PaceLines order={order} />}
      {order.claim_quota !== null && (
        <SmallText title="Pending and approved claims count against the quota of the order">
          {order.claim_quota.used} of {countOf(order.claim_quota.allowed, 'claim')}
        </SmallText>
      )}
    </div>
  )),
  column('Replacements', 120, (order) =>
    order.reimbursement_delivered + order.reimbursement_pending === 0
      ? '–'
      : `${countOf(order.reimbursement_delivered, 'delivered', 'delivered')}, ${order.reimbursement_pending} owed`,
  ),
  column('Revenue', 110, (order) => (order.actual_cost === null ? '–' : formatEuro(order.actual_cost)), {
    align: 'right',
  }),
  column('Leads link', 150, (order) => <OrderLink order={order} />),
  column('Comments', 100, (order) => <TruncatedText text={order.comments} otherwise="–" />, { grows: true }),
  actionsColumn(165, (order) => <OrderActions order={order} />),
];

function OrderActions({ order }: { order: Order }) {
  const dialogs = useDialogs();
  const remove = useDeleteOrder();
  const id = order.order_id;

  return (
    <Group gap={6} wrap="nowrap">
      <IconButton
        label={`Comments of order ${id}`}
        icon={IconMessage}
        onClick={() =>
          dialogs.open('order-comments', {
            buyerId: order.buyer_id,
            orderId: id,
            orderNumber: order.buyer_order_number,
            comments: order.comments,
          })
        }
      />
      {order.status === 'Active' && (
        <IconButton
          label={`Change lead limit of order ${id}`}
          icon={IconPencil}
          onClick={() =>
            dialogs.open('order-limit', {
              buyerId: order.buyer_id,
              limit: order.lead_limit,
              caps: order,
              orderId: id,
            })
          }
        />
      )}
      {order.status !== 'Deleted' && order.renewed_as === null && (
        <IconButton
          label={`Renewal of order ${id}`}
          icon={IconRepeat}
          onClick={() =>
            dialogs.open('order-renewal', {
              buyerId: order.buyer_id,
              orderId: id,
              prepay: order.buyer_type === 'prepay',
              renewal: order.renewal,
            })
          }
        />
      )}
      {order.status !== 'Deleted' && (
        <IconButton
          label={`Delete order ${id}`}
          danger
          icon={IconTrash}
          loading={remove.isPending}
          onClick={() => remove.ask(order.buyer_id, id)}
        />
      )}
    </Group>
  );
}

import { Group, Stack, Text } from '@mantine/core';
import { IconArrowBackUp, IconMessage, IconPencil, IconRepeat, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatEuro, formatNumber } from '#shared/rules/formats';
import { orderNumberText } from '#shared/rules/order-texts';
import { useExceededSum } from '../buyers/exceeded-sum';
import { useApiMutation } from '../data/mutation';
import { type Order, useBuyerOrders } from '../data/orders';
import { useDialogs } from '../dialogs/dialogs';
import { OrderBadge } from '../ui/badges';
import { actionsColumn, type Column, column, DataTable } from '../ui/DataTable';
import { IconButton } from '../ui/IconButton';
import { countOf } from '../ui/labels';
import { Meter } from '../ui/Meter';
import { SmallText } from '../ui/SmallText';
import { EmptyState, QueryResult } from '../ui/states';
import { ToolButton } from '../ui/ToolButton';
import { TruncatedText } from '../ui/TruncatedText';
import { OrderLink } from './OrderLink';
import { PaceLine } from './PaceLines';
import { useDeleteOrder } from './use-delete-order';

interface Props {
  readonly buyerId: string;
  readonly isDeleted: boolean;
  /** In the toolbar. */
  readonly children?: ReactNode;
}

/** All orders of a buyer, newest first, deleted ones included. */
export function BuyerOrders({ buyerId, isDeleted, children }: Props) {
  const orders = useBuyerOrders(buyerId);
  const restore = useApiMutation('restoreLastDeletedOrder');
  const openEditor = useExceededSum();
  return (
    <QueryResult query={orders} what="The orders">
      {(rows) => {
        const canRestore =
          !isDeleted &&
          rows.some(({ status }) => status === 'Deleted') &&
          !rows.some(({ status }) => status === 'Active');
        return (
          <Stack gap="sm">
            {(canRestore || children !== undefined) && (
              <Group>
                {children}
                {canRestore && (
                  <ToolButton
                    needs="restoreLastDeletedOrder"
                    icon={IconArrowBackUp}
                    loading={restore.isPending}
                    onClick={() =>
                      restore.mutate(
                        { params: { buyerId } },
                        { onError: (error) => openEditor(buyerId, error) },
                      )
                    }
                  >
                    Restore last deleted order
                  </ToolButton>
                )}
              </Group>
            )}
            {rows.length === 0 ? (
              <EmptyState title="No orders yet" hint="Create an order so that this buyer gets leads." />
            ) : (
              <DataTable
                label={`Orders for buyer ${buyerId}`}
                columns={columns}
                rows={rows}
                rowKey={(order) => order.order_id}
                maxHeight="60vh"
                dense
                cards
              />
            )}
          </Stack>
        );
      }}
    </QueryResult>
  );
}

/** Together at most 1,006 pixels: the width of a buyer's screen in a window of 1280. */
const columns: readonly Column<Order>[] = [
  column(
    'Order',
    108,
    (order) => (
      <>
        <Text fw={500}>{orderNumberText(order.buyer_order_number)}</Text>
        <TruncatedText size="xs" c="dimmed" text={`Order ID ${order.order_id}${renewalText(order)}`} />
      </>
    ),
    { grows: true },
  ),
  column('Status', 90, (order) => <OrderBadge status={order.status} />),
  column('Created', 126, (order) => order.order_created_at_formatted),
  column(
    'Progress',
    108,
    (order) => (
      <Meter done={order.leads_received} of={order.lead_limit} label={`Order ${order.order_id} delivered`}>
        {order.claim_quota !== null && (
          <SmallText truncate="end" title="Pending and approved claims count against the quota of the order">
            {order.claim_quota.used} of {countOf(order.claim_quota.allowed, 'claim')}
          </SmallText>
        )}
        {order.status === 'Active' && <PaceLine order={order} />}
      </Meter>
    ),
    { grows: true },
  ),
  column('Replacements', 126, replacementsText, { grows: true }),
  column('Revenue', 88, (order) => (order.actual_cost === null ? '–' : formatEuro(order.actual_cost)), {
    align: 'right',
  }),
  column('Leads link', 130, (order) => <OrderLink order={order} />),
  column('Comments', 88, (order) => <TruncatedText text={order.comments} otherwise="–" />, { grows: true }),
  actionsColumn(142, (order) => <OrderActions order={order} />, 'updateOrderComments'),
];

/** `2 delivered, 1 owed` */
function replacementsText({
  reimbursement_delivered: delivered,
  reimbursement_pending: owed,
}: Order): string {
  const parts = [
    delivered > 0 ? `${formatNumber(delivered)} delivered` : '',
    owed > 0 ? `${formatNumber(owed)} owed` : '',
  ];
  return parts.filter(Boolean).join(', ') || '–';
}

function renewalText({ renewed_as, renewal }: Order): string {
  if (renewed_as !== null) return ` · followed by ${renewed_as}`;
  return renewal === 'auto' ? ' · renews automatically' : '';
}

function OrderActions({ order }: { order: Order }) {
  const dialogs = useDialogs();
  const remove = useDeleteOrder();
  const id = order.order_id;

  return (
    <Group gap={6} wrap="nowrap">
      <IconButton
        needs="updateOrderComments"
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
          needs="updateOrderLimit"
          label={`Change lead limit of order ${id}`}
          icon={IconPencil}
          onClick={() => dialogs.open('order-limit', { buyerId: order.buyer_id, order, orderId: id })}
        />
      )}
      {order.status !== 'Deleted' && order.renewed_as === null && (
        <IconButton
          needs="updateOrderRenewal"
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
          needs="deleteOrder"
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

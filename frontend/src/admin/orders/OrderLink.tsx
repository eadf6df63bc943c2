import { Group } from '@mantine/core';
import { IconLink, IconLinkOff, IconRefresh } from '@tabler/icons-react';
import { useApiMutation } from '../data/mutation';
import { type Order } from '../data/orders';
import { useMay } from '../data/rights';
import { useDialogs } from '../dialogs/dialogs';
import { CONFIRM } from '../texts';
import { CopyLink } from '../ui/CopyLink';
import { IconButton } from '../ui/IconButton';
import { Tag } from '../ui/Tag';

/** An order's link: open, copy, regenerate and turn off, or switch on again. */
export function OrderLink({ order }: { order: Pick<Order, 'order_id' | 'buyer_id' | 'excel_link'> }) {
  const may = useMay();
  const dialogs = useDialogs();
  const regenerate = useApiMutation('regenerateOrderToken');
  const switchOff = useApiMutation('switchOffOrderToken');
  const id = order.order_id;

  const makeLink = () =>
    regenerate.mutate(
      { params: { orderId: id } },
      {
        onSuccess: ({ excel_link }) =>
          dialogs.open('new-link', { buyerId: order.buyer_id, link: excel_link }),
      },
    );
  const confirmRegeneration = () =>
    dialogs.ask(
      { title: 'Regenerate link', text: CONFIRM.regenerateLink(id), action: 'Regenerate' },
      makeLink,
    );
  const confirmSwitchOff = () =>
    dialogs.ask({ title: 'Turn off link', text: CONFIRM.switchOffLink(id), action: 'Turn off' }, () =>
      switchOff.mutate({ params: { orderId: id } }),
    );

  if (order.excel_link === null)
    return (
      <Group gap={2} wrap="nowrap">
        <Tag tone="neutral">Off</Tag>
        <IconButton
          needs="regenerateOrderToken"
          label={`Turn on link of order ${id}`}
          icon={IconLink}
          loading={regenerate.isPending}
          onClick={makeLink}
        />
      </Group>
    );
  if (!may('exportPerson')) return <Tag tone="neutral">On</Tag>;
  return (
    <Group gap={2} wrap="nowrap">
      <CopyLink href={order.excel_link} of={`order ${id}`} />
      <IconButton
        needs="regenerateOrderToken"
        label={`Regenerate link of order ${id}`}
        icon={IconRefresh}
        loading={regenerate.isPending}
        onClick={confirmRegeneration}
      />
      <IconButton
        needs="switchOffOrderToken"
        label={`Turn off link of order ${id}`}
        danger
        icon={IconLinkOff}
        loading={switchOff.isPending}
        onClick={confirmSwitchOff}
      />
    </Group>
  );
}

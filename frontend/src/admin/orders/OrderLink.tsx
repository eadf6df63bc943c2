import { Group } from '@mantine/core';
import { IconLink, IconLinkOff, IconRefresh } from '@tabler/icons-react';
import { useApiMutation } from '../data/mutation';
import { type Order } from '../data/orders';
import { useDialogs } from '../dialogs/dialogs';
import { CONFIRM } from '../texts';
import { CopyLink } from '../ui/CopyLink';
import { IconButton } from '../ui/IconButton';
import { Tag } from '../ui/Tag';

/** An order's link: open, copy, renew and switch off, or switch on again. */
export function OrderLink({ order }: { order: Order }) {
  const dialogs = useDialogs();
  const renew = useApiMutation('renewOrderToken');
  const switchOff = useApiMutation('switchOffOrderToken');
  const id = order.order_id;

  const makeLink = () =>
    renew.mutate(
      { params: { orderId: id } },
      {
        onSuccess: ({ excel_link }) =>
          dialogs.open('new-link', { buyerId: order.buyer_id, link: excel_link }),
      },
    );
  const confirmRenewal = () =>
    dialogs.ask({ title: 'Renew link', text: CONFIRM.renewLink(id), action: 'Renew' }, makeLink);
  const confirmSwitchOff = () =>
    dialogs.ask({ title: 'Turn off link', text: CONFIRM.switchOffLink(id), action: 'Turn off' }, () =>
      switchOff.mutate({ params: { orderId: id } }),
    );

  if (order.excel_link === null)
    return (
      <Group gap={6} wrap="nowrap">
        <Tag tone="neutral">Off</Tag>
        <IconButton
          label={`Turn on link of order ${id}`}
          icon={IconLink}
          iconSize={14}
          loading={renew.isPending}
          onClick={makeLink}
        />
      </Group>
    );
  return (
    <Group gap={6} wrap="nowrap">
      <CopyLink href={order.excel_link} of={`order ${id}`} />
      <IconButton
        label={`Renew link of order ${id}`}
        icon={IconRefresh}
        iconSize={14}
        loading={renew.isPending}
        onClick={confirmRenewal}
      />
      <IconButton
        label={`Turn off link of order ${id}`}
        danger
        icon={IconLinkOff}
        iconSize={14}
        loading={switchOff.isPending}
        onClick={confirmSwitchOff}
      />
    </Group>
  );
}

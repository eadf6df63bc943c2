import {
  IconCopy,
  IconHelpCircle,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconShoppingCartPlus,
  IconTrash,
} from '@tabler/icons-react';
import { useLocation } from 'wouter';
import { usePauseBuyer } from '../buyers/pausing';
import type { Buyer } from '../data/buyers';
import { useApiMutation } from '../data/mutation';
import { useDialogs } from '../dialogs/dialogs';
import { useNotifications } from '../notifications';
import { CONFIRM } from '../texts';
import { buyerPath } from '../ui/BuyerLink';
import { useCopy } from '../ui/CopyLink';
import { type MenuItem, MenuItems } from '../ui/MenuItems';

interface Props {
  readonly buyer: Buyer;
  readonly isOpen: boolean;
  /** On the buyer's page, which says why it gets no leads and has a button for a new order. */
  readonly onPage?: boolean;
}

/** What is done with a buyer more rarely than changing it and looking at its orders. */
export function BuyerMenu({ buyer, isOpen, onPage = false }: Props) {
  const dialogs = useDialogs();
  const [, navigate] = useLocation();
  const pause = usePauseBuyer();
  const regenerate = useApiMutation('regenerateToken');
  const copy = useCopy();
  const notifications = useNotifications();
  const { buyer_id: id, order_id, excel_link: link } = buyer;
  const isActive = buyer.active === 1;

  const copyLink = async (value: string) => {
    if (await copy(value)) notifications.success(`Link of ${id} copied`);
  };
  const renew = async () => {
    const question = { title: 'Regenerate link', text: CONFIRM.regenerate(id), action: 'Regenerate' };
    if (link !== null && !(await dialogs.confirm(question))) return;
    regenerate.mutate(
      { params: { buyerId: id } },
      { onSuccess: ({ excel_link }) => dialogs.open('new-link', { buyerId: id, link: excel_link }) },
    );
  };
  const changeLimit = () => dialogs.open('order-limit', { buyerId: id, order: buyer });

  const ofOrder: readonly MenuItem[] = [
    { text: 'Change lead limit', joint: 'of', needs: 'updateOrderLimit', icon: IconPencil, run: changeLimit },
    ...(link === null
      ? []
      : [
          {
            text: 'Copy link',
            joint: 'of',
            needs: 'exportPerson',
            icon: IconCopy,
            run: () => void copyLink(link),
          } as const,
        ]),
    {
      text: 'Regenerate link',
      joint: 'of',
      needs: 'regenerateToken',
      icon: IconRefresh,
      run: () => void renew(),
    },
    {
      text: isActive ? 'Pause' : 'Resume',
      needs: 'updateBuyer',
      icon: isActive ? IconPlayerPause : IconPlayerPlay,
      run: () => pause.mutate({ buyerId: id, isPaused: isActive }),
    },
  ];
  const whyNoLeads: MenuItem = {
    text: 'Why no leads',
    joint: 'for',
    icon: IconHelpCircle,
    run: () => navigate(buyerPath(id)),
  };
  const newOrder: MenuItem = {
    text: 'New order',
    needs: 'createOrder',
    joint: 'for',
    icon: IconShoppingCartPlus,
    run: () => dialogs.open('create-order', { buyerId: id }),
  };
  const withoutOrder = onPage ? [] : [newOrder];
  return (
    <MenuItems
      isOpen={isOpen}
      of={id}
      items={[
        ...(onPage ? [] : [whyNoLeads]),
        ...(order_id === null ? withoutOrder : ofOrder),
        {
          text: 'Delete',
          needs: 'deleteBuyer',
          icon: IconTrash,
          danger: true,
          run: () => dialogs.open('delete-buyer', { buyer }),
        },
      ]}
    />
  );
}

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
import { usePauseBuyer } from '../buyers/pausing';
import type { Buyer } from '../data/buyers';
import { useApiMutation } from '../data/mutation';
import { useDialogs } from '../dialogs/dialogs';
import { useNotifications } from '../notifications';
import { CONFIRM, whyNoLeads } from '../texts';
import { useCopy } from '../ui/CopyLink';
import { MenuItem, MenuItems } from '../ui/MenuItems';

/** What is done with a buyer more rarely than changing it and looking at its orders. */
export function BuyerMenu({ buyer, isOpen }: { readonly buyer: Buyer; readonly isOpen: boolean }) {
  const dialogs = useDialogs();
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
    const agreed =
      link === null ||
      (await dialogs.confirm({
        title: 'Regenerate link',
        text: CONFIRM.regenerate(id),
        action: 'Regenerate',
      }));
    if (!agreed) return;
    regenerate.mutate(
      { params: { buyerId: id } },
      { onSuccess: ({ excel_link }) => dialogs.open('new-link', { buyerId: id, link: excel_link }) },
    );
  };
  return (
    <MenuItems isOpen={isOpen}>
      <MenuItem
        text="Why no leads"
        name={whyNoLeads(id)}
        icon={IconHelpCircle}
        onClick={() => dialogs.open('eligibility', { buyerId: id })}
      />
      {order_id === null ? (
        <MenuItem
          text="New order"
          name={`New order for ${id}`}
          icon={IconShoppingCartPlus}
          onClick={() => dialogs.open('create-order', { buyerId: id })}
        />
      ) : (
        <>
          <MenuItem
            text="Change lead limit"
            name={`Change lead limit of ${id}`}
            icon={IconPencil}
            onClick={() => dialogs.open('order-limit', { buyerId: id, limit: buyer.lead_limit, caps: buyer })}
          />
          {link !== null && (
            <MenuItem
              text="Copy link"
              name={`Copy link of ${id}`}
              icon={IconCopy}
              onClick={() => void copyLink(link)}
            />
          )}
          <MenuItem
            text="Regenerate link"
            name={`Regenerate link of ${id}`}
            icon={IconRefresh}
            onClick={() => void renew()}
          />
          <MenuItem
            text={isActive ? 'Pause' : 'Resume'}
            name={`${isActive ? 'Pause' : 'Resume'} ${id}`}
            icon={isActive ? IconPlayerPause : IconPlayerPlay}
            onClick={() => pause.mutate({ buyerId: id, isPaused: isActive })}
          />
        </>
      )}
      <MenuItem
        text="Delete"
        name={`Delete ${id}`}
        danger
        icon={IconTrash}
        onClick={() => dialogs.open('delete-buyer', { buyer })}
      />
    </MenuItems>
  );
}

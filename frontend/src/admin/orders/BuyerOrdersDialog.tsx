import { Button } from '@mantine/core';
import { useBuyer } from '../data/buyers';
import { Allowed } from '../data/rights';
import { type DialogInput, useDialogs } from '../dialogs/dialogs';
import { AppModal } from '../ui/AppModal';
import { buyerPath } from '../ui/BuyerLink';
import { TextLink } from '../ui/TextLink';
import { BuyerOrders } from './BuyerOrders';

/** All orders that a buyer ever had. */
export function BuyerOrdersDialog({ buyerId, close }: DialogInput<'buyer-orders'>) {
  const dialogs = useDialogs();
  const isDeleted = useBuyer(buyerId)?.deleted === true;
  return (
    <AppModal title={`Orders for buyer ${buyerId}`} close={close} size="90rem">
      <BuyerOrders buyerId={buyerId} isDeleted={isDeleted}>
        <Allowed to="createOrder">
          <Button size="xs" disabled={isDeleted} onClick={() => dialogs.open('create-order', { buyerId })}>
            Create Order
          </Button>
        </Allowed>
        <TextLink to={buyerPath(buyerId, 'orders')}>Replacements, statement and terms</TextLink>
      </BuyerOrders>
    </AppModal>
  );
}

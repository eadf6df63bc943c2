import { Alert, Text } from '@mantine/core';
import { type Buyer } from '../data/buyers';
import { useApiMutation } from '../data/mutation';
import { addressText } from '../ui/address-texts';
import { ToolButton } from '../ui/ToolButton';

/** Warns that e-mails to the stored address bounce, and offers the next step. */
export function AddressHint({ buyer }: { readonly buyer: Buyer }) {
  const confirm = useApiMutation('confirmBuyerAddress');
  const known = confirm.isSuccess ? confirm.data.buyer.email_state : buyer.email_state;
  if (known === null)
    return confirm.isSuccess ? (
      <Alert variant="light" color="green" role="status">
        The address is marked as working.
      </Alert>
    ) : null;
  return (
    <Alert variant="light" color="red" title={`E-mails to ${buyer.buyer_email} are returned`}>
      <Text>
        {addressText(known)}.{' '}
        {known.state === 'bounced_soft'
          ? 'All e-mails are still sent to it.'
          : 'Leads are still sent to it, other e-mails are not.'}
      </Text>
      <ToolButton
        needs="confirmBuyerAddress"
        mt="xs"
        loading={confirm.isPending}
        onClick={() => confirm.mutate({ params: { buyerId: buyer.buyer_id } })}
      >
        Address works again
      </ToolButton>
    </Alert>
  );
}

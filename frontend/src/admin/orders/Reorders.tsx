import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { formatDateTime } from '#shared/rules/formats';
import { useBuyers } from '../data/buyers';
import { useApiMutation } from '../data/mutation';
import { Allowed } from '../data/rights';
import { BuyerLink } from '../ui/BuyerLink';
import { countOf } from '../ui/labels';
import { ToolButton } from '../ui/ToolButton';
import { type Asking, isAsking } from './asking';

/** Reorder requests; renders nothing without any. */
export function Reorders() {
  const { data: buyers = [] } = useBuyers();
  const asking = buyers.filter(isAsking);
  if (asking.length === 0) return null;
  return (
    <Alert
      color="teal"
      title={
        asking.length === 1
          ? 'A buyer requests the next order'
          : `${asking.length} buyers request their next orders`
      }
    >
      <Stack gap="xs">
        {asking.map((buyer) => (
          <Reorder key={buyer.order_id} buyer={buyer} />
        ))}
      </Stack>
    </Alert>
  );
}

/** A request with its two answers. */
export function Reorder({
  buyer: { buyer_id, order_id, reorder, leads_received, lead_limit },
}: {
  buyer: Asking;
}) {
  const decide = useApiMutation('decideReorder');
  const answer = (decision: 'confirmed' | 'declined') =>
    decide.mutate({ params: { orderId: order_id }, body: { decision } });
  return (
    <Group justify="space-between" gap="sm">
      <Text style={{ overflowWrap: 'anywhere' }} flex={1} miw={200}>
        <BuyerLink buyerId={buyer_id} inSentence /> requests {countOf(reorder.lead_limit, 'lead')} after order{' '}
        {order_id}, of which {leads_received} of {lead_limit} are there (
        {formatDateTime(new Date(reorder.requested_at))}).
      </Text>
      <Allowed to="decideReorder">
        <Group gap="xs">
          <ToolButton
            loading={decide.isPending}
            aria-label={`Decline the order of ${buyer_id}`}
            onClick={() => answer('declined')}
          >
            Decline
          </ToolButton>
          <Button
            size="xs"
            loading={decide.isPending}
            aria-label={`Confirm the order of ${buyer_id}`}
            onClick={() => answer('confirmed')}
          >
            Confirm
          </Button>
        </Group>
      </Allowed>
    </Group>
  );
}

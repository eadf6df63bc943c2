import { Group, Stack, Text, Title } from '@mantine/core';
import { AddressHint } from '../buyers/AddressHint';
import { ChannelTest, channelsOf } from '../buyers/ChannelTest';
import { DeliveryProblemAlert } from '../buyers/DeliveryProblem';
import type { Buyer } from '../data/buyers';
import { useDeliveries } from '../data/deliveries';
import { useApiMutation } from '../data/mutation';
import { DeliveryTable } from '../deliveries/DeliveryTable';
import { LoadMoreButton } from '../ui/LoadMoreButton';
import { EmptyState, QueryResult } from '../ui/states';
import { TextLink } from '../ui/TextLink';
import { ToolButton } from '../ui/ToolButton';

interface Props {
  readonly buyer: Buyer;
}

/** How leads reach the buyer, a test of it, and what failed. */
export function DeliverySection({ buyer }: Props) {
  return (
    <Stack gap="lg">
      {!buyer.deleted && (
        <>
          <AddressHint buyer={buyer} />
          <DeliveryProblemAlert buyer={buyer} />
          <Channels buyer={buyer} />
        </>
      )}
      <FailedDeliveries buyer={buyer} />
    </Stack>
  );
}

function Channels({ buyer }: Props) {
  const on = channelsOf(buyer);
  if (on.length === 0) return null;
  return (
    <section aria-labelledby="channels">
      <Title order={3} size="h5" id="channels" mb="sm">
        Channels
      </Title>
      <Stack gap="md">
        {on.map(({ id, label }) => (
          <div key={id}>
            <Text mb={4}>{id === 'email' ? `${label} to ${buyer.buyer_email}` : label}</Text>
            <ChannelTest buyer={buyer} channel={id} />
          </div>
        ))}
      </Stack>
    </section>
  );
}

function FailedDeliveries({ buyer: { buyer_id } }: Props) {
  const failed = useDeliveries(buyer_id, 'failed');
  const resend = useApiMutation('resendFailedDeliveries');
  return (
    <section aria-labelledby="failed">
      <Group justify="space-between" gap="sm" mb="sm">
        <Title order={3} size="h5" id="failed">
          Failed deliveries
        </Title>
        <TextLink to={`/dashboard/deliveries?${new URLSearchParams({ buyer: buyer_id })}`}>
          All deliveries
        </TextLink>
      </Group>
      <QueryResult query={failed} what="The deliveries">
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.deliveries);
          if (rows.length === 0)
            return (
              <EmptyState title="No delivery has failed" hint="Leads that could not be sent appear here." />
            );
          return (
            <Stack gap="sm" align="flex-start">
              <ToolButton
                needs="resendFailedDeliveries"
                loading={resend.isPending}
                onClick={() => resend.mutate({ params: { buyerId: buyer_id } })}
              >
                Resend all failed
              </ToolButton>
              <DeliveryTable deliveries={rows} hidden={['Buyer']} />
              <LoadMoreButton query={failed} />
            </Stack>
          );
        }}
      </QueryResult>
    </section>
  );
}

import { Stack, Title } from '@mantine/core';
import type { Buyer } from '../data/buyers';
import { isAsking } from '../orders/asking';
import { BuyerOrders } from '../orders/BuyerOrders';
import { BuyerReplacements } from '../orders/BuyerReplacements';
import { Reorder } from '../orders/Reorders';

export function OrdersSection({ buyer }: { readonly buyer: Buyer }) {
  return (
    <Stack gap="lg">
      {isAsking(buyer) && <Reorder buyer={buyer} />}
      <BuyerOrders buyerId={buyer.buyer_id} isDeleted={buyer.deleted} />
      <section aria-labelledby="replacements">
        <Title order={3} size="h5" id="replacements" mb="sm">
          Replacements
        </Title>
        <BuyerReplacements buyerId={buyer.buyer_id} />
      </section>
    </Stack>
  );
}

import { NativeSelect } from '@mantine/core';
import { type Buyer, useBuyers } from '../data/buyers';

interface Props {
  /** The chosen buyer; empty for all. */
  readonly value: string;
  readonly choose: (buyerId: string) => void;
  /** What stands behind the id. */
  readonly describe: (buyer: Buyer) => string;
}

/** Limits a screen to one buyer. */
export function BuyerFilter({ value, choose, describe }: Props) {
  const buyers = useBuyers();
  return (
    <NativeSelect
      size="xs"
      label="Buyer"
      value={value}
      data={[
        { value: '', label: 'All Buyers' },
        ...(buyers.data ?? []).map((buyer) => ({
          value: buyer.buyer_id,
          label: `${buyer.buyer_id} - ${describe(buyer)}`,
        })),
      ]}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}

import { NativeSelect } from '@mantine/core';
import { type Buyer, useBuyers } from '../data/buyers';

interface Props {
  /** The chosen buyer; empty for all. */
  readonly value: string;
  readonly choose: (buyerId: string) => void;
  /** Shown after the ID. */
  readonly describe: (buyer: Buyer) => string;
}

const BUYER_PX = 200;

/** Filters a screen by buyer. */
export function BuyerFilter({ value, choose, describe }: Props) {
  const { data: buyers = [] } = useBuyers();
  const known = value === '' || buyers.some((buyer) => buyer.buyer_id === value);
  return (
    <NativeSelect
      size="xs"
      label="Buyer"
      // A fixed width: otherwise the layout would shift once the names are loaded.
      w={BUYER_PX}
      value={value}
      data={[
        { value: '', label: 'All Buyers' },
        // A buyer that is not in the list, for example after renaming. Without it the field would show "All Buyers".
        ...(known ? [] : [value]),
        ...buyers.map((buyer) => ({
          value: buyer.buyer_id,
          label: `${buyer.buyer_id} - ${describe(buyer)}`,
        })),
      ]}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}

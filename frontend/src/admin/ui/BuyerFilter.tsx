import { type Buyer, useBuyers } from '../data/buyers';
import { SelectField } from './FilterFields';

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
    <SelectField
      label="Buyer"
      widthPx={BUYER_PX}
      value={value}
      options={[
        ['', 'All Buyers'],
        // A buyer that is not in the list, for example after renaming. Without it the field would show "All Buyers".
        ...(known ? [] : [[value, value] as const]),
        ...buyers.map((buyer) => [buyer.buyer_id, `${buyer.buyer_id} - ${describe(buyer)}`] as const),
      ]}
      choose={choose}
    />
  );
}

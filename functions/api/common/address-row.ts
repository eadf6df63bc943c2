import type { AddressState } from '#functions/data/deliveries/address';
import type { AddressStateRow } from '#shared/contract/rows/address-state';

export function addressRow(known: AddressState | undefined): AddressStateRow | null {
  if (known === undefined) return null;
  const { first_at, ...row } = known;
  return { ...row, since: first_at };
}

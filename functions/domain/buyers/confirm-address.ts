import type { Buyer } from '#functions/data/buyers/buyer';
import { type BuyerDeps, requireBuyer } from '#functions/domain/buyers/buyers';
import { type AddressDeps, noteWorks } from '#functions/domain/common/addresses';
import { auditEntry } from '#functions/domain/common/audit';

/** An admin says that the address of a buyer works again: what was known against it counts no more. @throws DomainError 404 */
export async function confirmAddress(
  deps: AddressDeps & Pick<BuyerDeps, 'buyers' | 'table' | 'runtime'>,
  who: string,
  buyerId: string,
): Promise<Buyer> {
  const buyer = await requireBuyer(deps, buyerId);
  await noteWorks(deps, buyer.buyer_email, deps.runtime.now().toISOString());
  await deps.table.transact([
    auditEntry(deps, {
      who,
      action: 'address_confirmed',
      entity: 'buyer',
      entityId: buyer.buyer,
      label: buyer.buyer_id,
      after: { buyer_email: buyer.buyer_email },
    }),
  ]);
  return buyer;
}

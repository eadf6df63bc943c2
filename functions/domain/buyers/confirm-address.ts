import type { Buyer } from '#functions/data/buyers/buyer';
import type { AddressContext } from '#functions/data/deliveries/address-store';
import { requireBuyer } from '#functions/domain/buyers/buyers';
import { noteWorks } from '#functions/domain/common/addresses';
import { aboutBuyer, auditEntry } from '#functions/domain/common/audit';

export async function confirmAddress(context: AddressContext, who: string, buyerId: string): Promise<Buyer> {
  const buyer = await requireBuyer(context, buyerId);
  const { buyer_email } = buyer;
  await noteWorks(context, buyer_email, context.runtime.now().toISOString());
  await context.table.transact([
    auditEntry(context, { who, action: 'address_confirmed', ...aboutBuyer(buyer), after: { buyer_email } }),
  ]);
  return buyer;
}

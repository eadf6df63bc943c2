import { type Template, templateSchema } from '#functions/data/administration/template';
import { type Buyer, buyerSchema } from '#functions/data/buyers/buyer';
import type { DataContext } from '#functions/data/context';
import { type Consent, consentWithWording } from '#functions/data/leads/consent';
import { type Delivery, isOfAssignment, leadSchema, type Person } from '#functions/data/leads/lead';
import { orderSchema } from '#functions/data/orders/order';
import { read } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';
import type { Item } from '#functions/data/table/table';
import type { Channel } from '#shared/channels/channels';
import type { LeadType } from '#shared/rules/constants';
import { usesConsent } from '#shared/rules/macros';

export interface DeliveryPayload {
  readonly lead_id: string;
  readonly received_at: string;
  readonly person: Person;
  /** With its wording; read only if the settings use it. */
  readonly consent?: Consent | undefined;
  readonly delivery: Pick<Delivery, 'order_id' | 'sequence' | 'lead_type' | 'attempt_count'>;
  readonly buyer: Buyer;
  /** For this lead type; null if the buyer has none. Only e-mail needs it. */
  readonly template: Template | null;
  /** Empty while the link is off. Only e-mail needs it. */
  readonly token: string;
  /** After an attempt with an unknown outcome: the answer "duplicate" then means "probably delivered". */
  readonly afterUnknown: boolean;
}

export type Loaded =
  | { readonly ok: true; readonly payload: Omit<DeliveryPayload, 'afterUnknown'> }
  | { readonly ok: false; readonly error: string };

export async function templateOf(
  { table }: DataContext,
  buyer: Buyer,
  channel: Channel,
  leadType: LeadType,
): Promise<Template | null> {
  if (channel !== 'email') return null;
  const replacement = leadType === 'reimbursement' ? buyer.reimbursement_email_template_id : null;
  const id = replacement ?? buyer.email_template_id;
  if (id === null) return null;
  const item = await table.get(keys.template(id));
  return item === undefined ? null : templateSchema.parse(item);
}

/** Empty while the link is off, and before the first order. */
export async function latestTokenOf({ table }: DataContext, { last_order_id }: Buyer): Promise<string> {
  return last_order_id === null ? '' : orderToken(await table.get(keys.order(last_order_id)));
}

export const buyer = (context: DataContext, buyer: number): Promise<Buyer | undefined> =>
  read(context, keys.buyer(buyer), buyerSchema);

export async function load(context: DataContext, delivery: Delivery): Promise<Loaded> {
  // A consistent read: an eventually consistent one could miss that the lead was assigned a moment ago.
  const [leadItem, buyerItem, orderItem] = await context.table.getMany([
    keys.lead(delivery.lead_id),
    keys.buyer(delivery.buyer),
    ...(delivery.channel === 'email' ? [keys.order(delivery.order_id)] : []),
  ]);
  if (leadItem === undefined) return { ok: false, error: 'The lead is gone' };
  if (buyerItem === undefined) return { ok: false, error: 'The buyer is gone' };
  const lead = leadSchema.parse(leadItem);
  if (lead.status !== 'assigned') return { ok: false, error: 'The lead was deleted before it was sent' };
  if (!isOfAssignment(delivery, lead))
    return { ok: false, error: 'The lead was given on before it was sent' };
  if (lead.erased_at !== undefined) return { ok: false, error: 'The person was erased before it was sent' };
  if (lead.withdrawn_at !== undefined)
    return { ok: false, error: 'The person withdrew the consent before it was sent' };
  const buyer = buyerSchema.parse(buyerItem);
  const template = await templateOf(context, buyer, delivery.channel, delivery.lead_type);
  const isWanted = lead.consent !== undefined && usesConsent(template ?? buyer);
  return {
    ok: true,
    payload: {
      lead_id: delivery.lead_id,
      received_at: lead.received_at,
      person: lead,
      consent: isWanted ? await consentWithWording(context, lead.lead_id) : undefined,
      delivery,
      buyer,
      template,
      token: orderToken(orderItem),
    },
  };
}

const orderToken = (order: Item | undefined): string =>
  order === undefined ? '' : orderSchema.shape.token.parse(order.token);

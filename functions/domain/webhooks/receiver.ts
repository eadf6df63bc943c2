import type { EventContent } from '#functions/channels/callback';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { DataContext } from '#functions/data/context';
import * as orderStore from '#functions/data/orders/order-store';
import { eventIdOf } from '#functions/data/sources/callback';
import type { WebhookCall } from '#functions/data/webhooks/webhook-call';
import * as webhookStore from '#functions/data/webhooks/webhooks';
import type { Target } from '#functions/domain/sources/target';
import type { WebhookData } from '#shared/contract/rows/webhook-event';

export async function ofWebhook(
  context: DataContext,
  call: WebhookCall,
): Promise<{ readonly target: Target } | { readonly error: string }> {
  const webhooks = await webhookStore.get(context);
  const webhook = webhooks.webhooks.find((one) => one.webhook === call.webhook);
  if (webhook === undefined) return { error: 'The webhook was deleted' };
  if (webhook.gone_at !== undefined) return { error: 'The webhook is off: its receiver is gone' };
  return {
    target: {
      endpoint: 'webhook',
      url: webhook.url,
      secrets: Object.values(webhook.secrets).map(({ secret }) => secret),
      content: () => contentOf(context, call),
      switchOff: (now) => webhookStore.gone(context, webhooks, webhook, now),
      name: `webhook "${webhook.name}"`,
      failed: `Webhook "${webhook.name}" could not be notified of ${call.event}.`,
      place: 'Settings → "Webhooks"',
      marker: `callback#webhook${webhook.webhook}`,
    },
  };
}

async function contentOf(context: DataContext, call: WebhookCall): Promise<EventContent> {
  return {
    id: eventIdOf(call),
    event: call.event,
    occurred_at: call.occurred_at,
    data: await dataOf(context, call),
  };
}

async function dataOf(context: DataContext, call: WebhookCall): Promise<WebhookData> {
  const buyer = await buyerStore.get(context, call.buyer);
  const ofOrder = { order_id: call.order_id, buyer_id: buyer?.buyer_id ?? String(call.buyer) };
  const ofLead = { ...ofOrder, lead_id: call.lead_id ?? '', source_id: call.source ?? null };
  switch (call.event) {
    case 'order.full':
      return { ...ofOrder, lead_limit: call.lead_limit ?? 0 };
    case 'claim.filed':
      return { ...ofLead, claim_id: call.claim_id ?? 0 };
    case 'lead.assigned': {
      const lead_type = call.lead_type ?? 'original';
      return { ...ofLead, lead_type, price: await priceOf(context, call.order_id, lead_type) };
    }
  }
}

/** An order keeps the price that it was created with. */
async function priceOf(context: DataContext, orderId: number, type: WebhookCall['lead_type']) {
  if (type === 'reimbursement') return 0;
  const cents = (await orderStore.get(context, orderId))?.price_per_lead ?? null;
  return cents === null ? null : cents / 100;
}

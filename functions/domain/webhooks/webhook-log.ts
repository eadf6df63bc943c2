import type { SendCallback } from '#functions/channels/callback';
import type { Report } from '#functions/channels/channel';
import type { Context, DataContext } from '#functions/data/context';
import * as callbackStore from '#functions/data/sources/callback-store';
import { callPrefix, type WebhookCall } from '#functions/data/webhooks/webhook-call';
import * as webhookStore from '#functions/data/webhooks/webhooks';
import { auditEntry } from '#functions/domain/common/audit';
import { conflict, notFound } from '#functions/domain/common/errors';
import { callbackPage, type PageAsked, TEST_TIMEOUT_MS } from '#functions/domain/sources/callback-log';
import { aboutWebhook, requireWebhook } from '#functions/domain/webhooks/webhooks';

export async function listWebhookCalls(
  context: DataContext,
  id: number,
  asked: PageAsked,
): Promise<{ readonly callbacks: readonly WebhookCall[]; readonly nextCursor: string | null }> {
  return callbackPage(`webhook-calls/${id}`, asked, (start) => callbackStore.ofWebhook(context, id, start));
}

/** Sends an event again under the same ID. @throws DomainError 404; 409 while it is in progress, and if the webhook is off */
export async function resendWebhookCall(
  context: Context,
  who: string,
  id: number,
  eventId: string,
): Promise<void> {
  const webhook = requireWebhook(await webhookStore.get(context), id);
  const [subject = '', ...name] = eventId.split('_');
  const callId = `${callPrefix(id)}${name.join('_')}`;
  if ((await callbackStore.get(context, subject, callId)) === undefined) throw notFound('Callback');
  requireOn(webhook);
  const { ok } = await callbackStore.sendAgain(context, subject, callId, context.runtime.now());
  if (!ok) throw conflict('already_on_its_way', 'This call is already in progress');
  const after = { event: eventId };
  await context.table.put(
    auditEntry(context, { who, action: 'sent_again', ...aboutWebhook(webhook), after }),
  );
}

export async function sendTestEvent(
  context: Context & { readonly send: SendCallback },
  id: number,
): Promise<Report> {
  const webhook = requireWebhook(await webhookStore.get(context), id);
  requireOn(webhook);
  const { runtime } = context;
  const secrets = Object.values(webhook.secrets).map(({ secret }) => secret);
  const occurred_at = runtime.now().toISOString();
  return context.send(
    { endpoint: 'webhook', url: webhook.url, secrets },
    { id: `test_${runtime.newId()}`, event: 'test', occurred_at, data: {} },
    runtime.timeout(TEST_TIMEOUT_MS),
  );
}

function requireOn({ gone_at }: { readonly gone_at?: string | undefined }): void {
  if (gone_at !== undefined) throw conflict('endpoint_gone', 'The webhook is off. Save it again first.');
}

import { secretRows } from '#functions/api/common/secret-rows';
import type { Webhook } from '#functions/data/webhooks/webhooks';
import * as webhookStore from '#functions/data/webhooks/webhooks';
import {
  createWebhook,
  createWebhookSecret,
  deleteWebhook,
  revokeWebhookSecret,
  updateWebhook,
} from '#functions/domain/webhooks/webhooks';
import type { ApiContext, Handlers } from '#functions/http/api';
import { answered } from '#functions/http/message';
import type { WebhookRow, webhookSchemas } from '#shared/contract/schemas/webhooks';

export function webhookHandlers(
  context: ApiContext,
): Pick<Handlers<'settings'>, keyof typeof webhookSchemas> {
  const withCipher = async () => ({ ...context, cipher: (await context.keys()).cipher });
  return {
    listWebhooks: async () => (await webhookStore.get(context)).webhooks.map(row),

    createWebhook: async ({ body, who }) => {
      const { webhook, secret } = await createWebhook(await withCipher(), who, body);
      return { message: 'Webhook added', webhook: row(webhook), secret };
    },

    updateWebhook: async ({ params, body, who }) => ({
      message: 'Webhook saved',
      webhook: row(await updateWebhook(context, who, params.webhookId, body)),
    }),

    deleteWebhook: ({ params, who }) =>
      answered('Webhook deleted', deleteWebhook(context, who, params.webhookId)),

    createWebhookSecret: async ({ params, who }) => {
      const { webhook, secret } = await createWebhookSecret(await withCipher(), who, params.webhookId);
      return { message: 'Secret created', webhook: row(webhook), secret };
    },

    revokeWebhookSecret: async ({ params, who }) => ({
      message: 'Secret revoked',
      webhook: row(await revokeWebhookSecret(context, who, params.webhookId, params.slot)),
    }),
  };
}

const row = ({ webhook, gone_at, secrets, ...choices }: Webhook): WebhookRow => ({
  ...choices,
  webhook_id: webhook,
  gone_at: gone_at ?? null,
  secrets: secretRows(secrets),
});

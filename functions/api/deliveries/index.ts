import { callbackRow } from '#functions/api/common/callback-row';
import { deliveryRow } from '#functions/api/common/delivery-row';
import { reportDetail } from '#functions/api/common/report-detail';
import type { FunctionEnvironment } from '#functions/api/deliveries/environment';
import { createCallbackSender } from '#functions/channels/callback';
import type { Report } from '#functions/channels/channel';
import { createChannels } from '#functions/channels/channels';
import { createPartnerHttp } from '#functions/channels/partner-http';
import { eventIdOf } from '#functions/data/sources/callback';
import { buyerAsTyped } from '#functions/domain/buyers/channel-settings';
import type { Channels } from '#functions/domain/deliveries/deliveries';
import {
  listDeliveries,
  requireBuyer,
  resend,
  resendFailed,
} from '#functions/domain/deliveries/delivery-log';
import { sendTestLead, tryChannel } from '#functions/domain/deliveries/test-delivery';
import { listCallbacks, resendCallback, sendTestCallback } from '#functions/domain/sources/callback-log';
import { listWebhookCalls, resendWebhookCall, sendTestEvent } from '#functions/domain/webhooks/webhook-log';
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiContext } from '#functions/http/context';
import { answered } from '#functions/http/message';
import type { Runtime } from '#functions/platform/runtime';
import { deliverySchemas } from '#shared/contract/schemas/deliveries';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const context = createApiContext(environment, runtime);
  const http = createPartnerHttp(environment, runtime);
  let channels: Channels | undefined;

  return createApi('deliveries', deliverySchemas, context, {
    listDeliveries: async ({ query }) => {
      const { status, limit, cursor } = query;
      const page = await listDeliveries(context, { buyerId: query.buyer_id, status, limit, cursor });
      return {
        deliveries: page.deliveries.map((delivery) =>
          deliveryRow(delivery, page.buyerIds.get(delivery.buyer) ?? ''),
        ),
        next_cursor: page.nextCursor,
        failed_count: page.failedCount,
      };
    },

    resendDelivery: ({ params, who }) =>
      answered('Delivery queued again', resend(context, who, params.leadId, params.channel)),

    resendFailedDeliveries: async ({ params, who }) => {
      const count = await resendFailed(context, who, params.buyerId);
      return {
        message: count === 1 ? '1 delivery queued again' : `${count} deliveries queued again`,
        count,
      };
    },

    sendTestLead: async ({ params }) => {
      channels ??= createChannels(environment, (await context.keys()).cipher, runtime);
      const buyer = await requireBuyer(context, params.buyerId);
      return reportRow(await sendTestLead({ ...context, channels }, buyer, params.channel));
    },

    tryChannel: async ({ params, body }) => {
      const { cipher } = await context.keys();
      channels ??= createChannels(environment, cipher, runtime);
      const stored = body.buyer_id === undefined ? undefined : await requireBuyer(context, body.buyer_id);
      const buyer = buyerAsTyped({ cipher, runtime }, stored, params.channel, body);
      const trial = await tryChannel({ channels, runtime }, buyer, params.channel);
      const { report, request, answer, judgement, durationMs } = trial;
      return {
        outcome: report.outcome,
        error: report.error,
        duration_ms: durationMs,
        request: request && { ...request, headers: pairsOf(request.headers) },
        answer: answer && { ...answer, headers: pairsOf(answer.headers) },
        verdict: judgement?.verdict ?? null,
        rule: judgement?.rule ?? null,
        external_id: report.external_id,
      };
    },

    listCallbacks: async ({ params, query }) => {
      const page = await listCallbacks(context, params.sourceId, query);
      return { callbacks: page.callbacks.map(callbackRow), next_cursor: page.nextCursor };
    },

    resendCallback: ({ params, who }) =>
      answered('Callback queued again', resendCallback(context, who, params.leadId, params.callbackId)),

    sendTestCallback: async ({ params }) => {
      const { cipher } = await context.keys();
      const send = createCallbackSender({ http, cipher, runtime });
      return reportRow(await sendTestCallback({ ...context, send }, params.sourceId, params.endpoint));
    },

    listWebhookCalls: async ({ params, query }) => {
      const page = await listWebhookCalls(context, params.webhookId, query);
      const calls = page.callbacks.map((call) => ({
        ...call,
        event_id: eventIdOf(call),
        lead_id: call.lead_id ?? null,
      }));
      return { calls, next_cursor: page.nextCursor };
    },

    resendWebhookCall: ({ params, who }) =>
      answered('Event queued again', resendWebhookCall(context, who, params.webhookId, params.eventId)),

    sendTestEvent: async ({ params }) => {
      const { cipher } = await context.keys();
      const send = createCallbackSender({ http, cipher, runtime });
      return reportRow(await sendTestEvent({ ...context, send }, params.webhookId));
    },
  });
}

const reportRow = (report: Report) => ({
  outcome: report.outcome,
  status_code: report.status_code,
  answer: reportDetail(report),
});

const pairsOf = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([name, value]) => ({ name, value }));

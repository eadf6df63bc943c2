import { callbackRow } from '#functions/api/common/callback-row';
import { deliveryRow } from '#functions/api/common/delivery-row';
import { reportDetail } from '#functions/api/common/report-detail';
import type { FunctionEnvironment } from '#functions/api/deliveries/environment';
import { createCallbackSender } from '#functions/channels/callback';
import { createChannels } from '#functions/channels/channels';
import { createPartnerHttp } from '#functions/channels/partner-http';
import { createBuyerStore } from '#functions/data/buyers/buyer-store';
import { createDeliveryRepository } from '#functions/data/deliveries/delivery-store';
import { createPayloadLoader } from '#functions/data/deliveries/payloads';
import { createCallbackStore } from '#functions/data/sources/callback-store';
import { createEndpointStore } from '#functions/data/sources/endpoints';
import { createSourceStore } from '#functions/data/sources/source-store';
import { openTable } from '#functions/data/table/open-table';
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
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiDeps } from '#functions/http/deps';
import type { Runtime } from '#functions/runtime';
import { deliverySchemas } from '#shared/contract/schemas/deliveries';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const table = openTable(environment, runtime);
  const api = createApiDeps(environment, runtime, table);
  const deps = {
    table,
    deliveries: createDeliveryRepository(table),
    buyers: createBuyerStore(table),
    runtime,
  };
  const callbacks = {
    table,
    callbacks: createCallbackStore(table),
    endpoints: createEndpointStore(table),
    sources: createSourceStore(table),
    runtime,
  };
  const http = createPartnerHttp(environment, runtime);
  const payloads = createPayloadLoader(table);
  let channels: Channels | undefined;

  return createApi('deliveries', deliverySchemas, api, {
    listDeliveries: async ({ query }) => {
      const { status, limit, cursor } = query;
      const page = await listDeliveries(deps, { buyerId: query.buyer_id, status, limit, cursor });
      return {
        deliveries: page.deliveries.map((delivery) =>
          deliveryRow(delivery, page.buyerIds.get(delivery.buyer) ?? ''),
        ),
        next_cursor: page.nextCursor,
        failed_count: page.failedCount,
      };
    },

    resendDelivery: async ({ params, session }) => {
      await resend(deps, session.username, params.leadId, params.channel);
      return { message: 'The delivery is sent again' };
    },

    resendFailedDeliveries: async ({ params, session }) => {
      const count = await resendFailed(deps, session.username, params.buyerId);
      return {
        message: count === 1 ? '1 delivery is sent again' : `${count} deliveries are sent again`,
        count,
      };
    },

    sendTestLead: async ({ params }) => {
      channels ??= createChannels(environment, (await api.keys()).cipher, runtime);
      const buyer = await requireBuyer(deps, params.buyerId);
      const report = await sendTestLead({ channels, payloads, runtime }, buyer, params.channel);
      return {
        outcome: report.outcome,
        status_code: report.status_code,
        answer: reportDetail(report),
      };
    },

    tryChannel: async ({ params, body }) => {
      const { cipher } = await api.keys();
      channels ??= createChannels(environment, cipher, runtime);
      const stored = body.buyer_id === undefined ? undefined : await requireBuyer(deps, body.buyer_id);
      const buyer = buyerAsTyped({ cipher, runtime }, stored, params.channel, body);
      const { report, request, answer, judgement, durationMs } = await tryChannel(
        { channels, runtime },
        buyer,
        params.channel,
      );
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
      const page = await listCallbacks(callbacks, params.sourceId, query);
      return { callbacks: page.callbacks.map(callbackRow), next_cursor: page.nextCursor };
    },

    resendCallback: async ({ params, session }) => {
      await resendCallback(callbacks, session.username, params.leadId, params.callbackId);
      return { message: 'The callback is sent again' };
    },

    sendTestCallback: async ({ params }) => {
      const { cipher } = await api.keys();
      const send = createCallbackSender({ http, cipher, runtime });
      const report = await sendTestCallback({ ...callbacks, send }, params.sourceId, params.endpoint);
      return {
        outcome: report.outcome,
        status_code: report.status_code,
        answer: reportDetail(report),
      };
    },
  });
}

const pairsOf = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([name, value]) => ({ name, value }));

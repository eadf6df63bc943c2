/** Every function of the product, made as its Lambda entry makes it, with one environment for all. */
import type { Context, ScheduledEvent } from 'aws-lambda';
import { create as createAuth } from '#functions/api/auth/index';
import { create as createBuyers } from '#functions/api/buyers/index';
import { create as createClaims } from '#functions/api/claims/index';
import { create as createDeliveries } from '#functions/api/deliveries/index';
import { create as createInsights } from '#functions/api/insights/index';
import { create as createIntake } from '#functions/api/intake/index';
import { create as createLeads } from '#functions/api/leads/index';
import { create as createLeadsView } from '#functions/api/leads-view/index';
import { create as createMeta } from '#functions/api/meta/index';
import { create as createOrders } from '#functions/api/orders/index';
import { create as createPendingLeads } from '#functions/api/pending-leads/index';
import { create as createPeople } from '#functions/api/people/index';
import { create as createSettings } from '#functions/api/settings/index';
import { create as createSources } from '#functions/api/sources/index';
import type { ApiHandler } from '#functions/http/api';
import type { Environment } from '#functions/platform/environment';
import type { QueueName, Worker } from '#functions/platform/functions';
import type { Runtime } from '#functions/platform/runtime';
import { create as createBounces } from '#functions/workers/bounces/index';
import { create as createCallback } from '#functions/workers/callback/index';
import { create as createDeliver } from '#functions/workers/deliver/index';
import { create as createDistribute } from '#functions/workers/distribute/index';
import { create as createNotify } from '#functions/workers/notify/index';
import { create as createOutbox } from '#functions/workers/outbox/index';
import { create as createReconcile, type ReconcileEvent } from '#functions/workers/reconcile/index';
import { create as createRedistribute } from '#functions/workers/redistribute/index';
import { create as createStatistics } from '#functions/workers/statistics/index';
import type { QueueHandler } from '#local/queue-poller';
import type { StreamHandler } from '#local/stream-poller';
import type { ApiFunction } from '#shared/contract/routes';

export const STREAM_CONSUMERS = ['outbox', 'statistics'] as const satisfies readonly Worker[];
export type StreamConsumer = (typeof STREAM_CONSUMERS)[number];

/** By what starts them; a function that is missing here does not compile. */
export interface Functions {
  readonly api: Readonly<Record<ApiFunction, ApiHandler>>;
  readonly stream: Readonly<Record<StreamConsumer, StreamHandler>>;
  readonly queue: Readonly<Record<QueueName, QueueHandler>>;
  readonly schedule: Readonly<Record<Exclude<Worker, StreamConsumer | QueueName>, ScheduleHandler>>;
}

export type ScheduleHandler = (event: ScheduledEvent & ReconcileEvent, context: Context) => Promise<void>;

export function createFunctions(environment: Environment, runtime: Runtime): Functions {
  return {
    api: {
      auth: createAuth(environment, runtime),
      buyers: createBuyers(environment, runtime),
      claims: createClaims(environment, runtime),
      deliveries: createDeliveries(environment, runtime),
      insights: createInsights(environment, runtime),
      intake: createIntake(environment, runtime),
      leads: createLeads(environment, runtime),
      'leads-view': createLeadsView(environment, runtime),
      meta: createMeta(environment, runtime),
      orders: createOrders(environment, runtime),
      people: createPeople(environment, runtime),
      'pending-leads': createPendingLeads(environment, runtime),
      settings: createSettings(environment, runtime),
      sources: createSources(environment, runtime),
    },
    stream: {
      outbox: createOutbox(environment, runtime),
      statistics: createStatistics(environment, runtime),
    },
    queue: {
      deliver: createDeliver(environment, runtime),
      notify: createNotify(environment, runtime),
      callback: createCallback(environment, runtime),
      redistribute: createRedistribute(environment, runtime),
      distribute: createDistribute(environment, runtime),
      bounces: createBounces(environment, runtime),
    },
    schedule: { reconcile: createReconcile(environment, runtime) },
  };
}

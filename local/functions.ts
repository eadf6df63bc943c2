/** Every function as its Lambda entry makes it, with one environment for all. */
import type { Context, ScheduledEvent } from 'aws-lambda';
import type { ApiHandler } from '#functions/http/api';
import type { Environment } from '#functions/platform/environment';
import {
  API_FUNCTIONS,
  FUNCTION_TABLE,
  type FunctionName,
  QUEUES,
  SCHEDULED,
  STREAM_CONSUMERS,
} from '#functions/platform/functions';
import type { Runtime } from '#functions/platform/runtime';
import type { ReconcileEvent } from '#functions/workers/reconcile/index';
import type { QueueHandler } from '#local/queue-poller';
import type { StreamHandler } from '#local/stream-poller';

export type ScheduleHandler = (event: ScheduledEvent & ReconcileEvent, context: Context) => Promise<void>;

interface Loadable<Handler> {
  readonly load: () => Promise<{
    readonly create: (environment: Environment, runtime: Runtime) => Handler;
  }>;
}
type Made<Name extends FunctionName, Handler> = (
  environment: Environment,
  runtime: Runtime,
) => Readonly<Record<Name, Handler>>;

function loaded<Name extends FunctionName, Handler>(
  names: readonly Name[],
  functions: Readonly<Record<Name, Loadable<Handler>>>,
): Promise<Made<Name, Handler>>;
async function loaded<Name extends FunctionName>(
  names: readonly Name[],
  functions: Readonly<Record<Name, Loadable<unknown>>>,
): Promise<unknown> {
  const modules = await Promise.all(names.map(async (name) => [name, await functions[name].load()] as const));
  return (environment: Environment, runtime: Runtime) =>
    Object.fromEntries(modules.map(([name, { create }]) => [name, create(environment, runtime)]));
}

const api = await loaded<(typeof API_FUNCTIONS)[number], ApiHandler>(API_FUNCTIONS, FUNCTION_TABLE);
const stream = await loaded<(typeof STREAM_CONSUMERS)[number], StreamHandler>(
  STREAM_CONSUMERS,
  FUNCTION_TABLE,
);
const queue = await loaded<(typeof QUEUES)[number], QueueHandler>(QUEUES, FUNCTION_TABLE);
const schedule = await loaded<(typeof SCHEDULED)[number], ScheduleHandler>(SCHEDULED, FUNCTION_TABLE);

/** By what starts them. */
export const createFunctions = (environment: Environment, runtime: Runtime) => ({
  api: api(environment, runtime),
  stream: stream(environment, runtime),
  queue: queue(environment, runtime),
  schedule: schedule(environment, runtime),
});
export type Functions = ReturnType<typeof createFunctions>;

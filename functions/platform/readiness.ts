/** The deployment asks every function whether it reaches what its environment names (scripts/ready.sh). */
import type * as z from 'zod/mini';
import { keys } from '#functions/data/table/keys';
import { openTable } from '#functions/data/table/open-table';
import { readEnvironment } from '#functions/platform/environment';
import { type Runtime, systemRuntime } from '#functions/platform/runtime';

export interface ReadinessEvent {
  readonly readiness: true;
}
export interface Ready {
  readonly ready: true;
}

/** What a Lambda exports: its handler, which also answers the deployment's question, and rejects with the first failed check. */
export function createLambda<Variables, Event extends object, Rest extends readonly unknown[], Answer>(
  environment: z.ZodMiniType<Variables>,
  create: (variables: Variables, runtime: Runtime) => (event: Event, ...rest: Rest) => Promise<Answer>,
  ...checks: readonly ((variables: Variables, runtime: Runtime) => Promise<unknown>)[]
) {
  const variables = readEnvironment(environment);
  const handler = create(variables, systemRuntime);
  return async (event: Event | ReadinessEvent, ...rest: Rest): Promise<Answer | Ready> => {
    if (!asksForReadiness(event)) return handler(event, ...rest);
    await Promise.all(checks.map((check) => check(variables, systemRuntime)));
    return { ready: true };
  };
}

function asksForReadiness(event: object): event is ReadinessEvent {
  return 'readiness' in event;
}

/** The client is created only when asked, so a start pays nothing. */
export const healthCheckTable = (environment: Parameters<typeof openTable>[0], runtime: Runtime) =>
  openTable(environment, runtime).get(keys.format());

import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { createCallbackSender } from '#functions/channels/callback';
import { createPartnerHttp } from '#functions/channels/partner-http';
import { openTable } from '#functions/data/table/open-table';
import { type CallBackContext, callBack } from '#functions/domain/sources/callbacks';
import { createKeyLoader } from '#functions/keys/keys';
import { createOperator } from '#functions/operator/operator';
import { memoize } from '#functions/platform/memoize';
import type { Runtime } from '#functions/platform/runtime';
import { callbackMessage } from '#functions/queues/messages';
import { createQueue, openQueues } from '#functions/queues/sqs';
import { forEachMessage } from '#functions/queues/worker';
import type { FunctionEnvironment } from '#functions/workers/callback/environment';
import { limiterOf } from '#functions/workers/deliver/concurrency-limiter';

export type QueueHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

export function create(environment: FunctionEnvironment, runtime: Runtime): QueueHandler {
  const table = openTable(environment, runtime);
  const client = openQueues(environment, runtime);
  const loadKeys = createKeyLoader(environment, runtime.log);
  const http = createPartnerHttp(environment, runtime);
  const wire = memoize(
    async (): Promise<CallBackContext> => ({
      table,
      queue: createQueue(client, environment.CALLBACK_QUEUE_URL, runtime.log),
      send: createCallbackSender({ http, cipher: (await loadKeys()).cipher, runtime }),
      notifyOperator: createOperator(environment, runtime.log),
      limiter: limiterOf(environment, table, runtime),
      runtime,
    }),
  );

  return async (event) => {
    const ready = await wire();
    return forEachMessage(event, callbackMessage, runtime.log, (message) => callBack(ready, message));
  };
}

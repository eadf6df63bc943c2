/** Records what SES reports about mails. An unknown event is logged and counted, and not retried. */

import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { openTable } from '#functions/data/table/open-table';
import { noteMailEvent, readMailEvent } from '#functions/domain/deliveries/mail-events';
import { createKeyLoader } from '#functions/keys/keys';
import { errorFields } from '#functions/platform/logger';
import { parseJson } from '#functions/platform/parse-json';
import type { Runtime } from '#functions/platform/runtime';
import type { FunctionEnvironment } from '#functions/workers/bounces/environment';

export type QueueHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

export function create(environment: FunctionEnvironment, runtime: Runtime): QueueHandler {
  const table = openTable(environment, runtime);
  const loadKeys = createKeyLoader(environment, runtime.log);
  const context = { table, personKey: async () => (await loadKeys()).person, runtime };

  const handle = async (body: string): Promise<void> => {
    const event = readMailEvent(parseJson(body));
    if (event !== undefined) return noteMailEvent(context, event);
    runtime.log.warn('unknown event of a mail');
    runtime.metrics.record('MailEventsUnknown', 1, {});
  };

  return async ({ Records }) => {
    const failures = await Promise.all(
      Records.map(async ({ messageId, body }) => {
        try {
          await handle(body);
          return [];
        } catch (error) {
          runtime.log.error('message failed', { message_id: messageId, ...errorFields(error) });
          return [{ itemIdentifier: messageId }];
        }
      }),
    );
    return { batchItemFailures: failures.flat() };
  };
}

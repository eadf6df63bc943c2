/** Records what SES reports about mails. An unknown event is logged and counted, and not retried. */

import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { openTable } from '#functions/data/table/open-table';
import { noteMailEvent, readMailEvent } from '#functions/domain/deliveries/mail-events';
import { createKeyLoader } from '#functions/keys/keys';
import { parseJson } from '#functions/platform/parse-json';
import type { Runtime } from '#functions/platform/runtime';
import { forEachBody } from '#functions/queues/worker';
import type { FunctionEnvironment } from '#functions/workers/bounces/environment';

export type QueueHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

export function create(environment: FunctionEnvironment, runtime: Runtime): QueueHandler {
  const table = openTable(environment, runtime);
  const loadKeys = createKeyLoader(environment, runtime.log);
  const context = { table, personKey: async () => (await loadKeys()).person, runtime };

  return (event) =>
    forEachBody(event, runtime.log, async (body) => {
      const mailEvent = readMailEvent(parseJson(body));
      if (mailEvent !== undefined) return noteMailEvent(context, mailEvent);
      runtime.log.warn('unknown event of a mail');
      runtime.metrics.record('MailEventsUnknown', 1, {});
    });
}

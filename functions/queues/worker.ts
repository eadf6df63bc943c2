import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type * as z from 'zod/mini';
import { errorFields, type Logger } from '#functions/platform/logger';

/** @returns failed messages; SQS redelivers them, and finally moves them to the dead-letter queue */
export async function forEachBody(
  event: SQSEvent,
  log: Logger,
  handle: (body: string) => Promise<void>,
): Promise<SQSBatchResponse> {
  const failures = await Promise.all(
    event.Records.map(async ({ messageId, body }) => {
      try {
        await handle(body);
        return [];
      } catch (error) {
        log.error('message failed', { message_id: messageId, ...errorFields(error) });
        return [{ itemIdentifier: messageId }];
      }
    }),
  );
  return { batchItemFailures: failures.flat() };
}

export const forEachMessage = <Message>(
  event: SQSEvent,
  schema: z.ZodMiniType<Message>,
  log: Logger,
  handle: (message: Message) => Promise<void>,
): Promise<SQSBatchResponse> =>
  forEachBody(event, log, async (body) => handle(schema.parse(JSON.parse(body))));

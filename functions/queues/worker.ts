import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type * as z from 'zod/mini';
import { errorFields, type Logger } from '#functions/logger';

/**
 * Handles the messages of an event side by side, each for itself.
 * @returns the ones that failed, to come back and, after some times, to go to the dead-letter queue; a message that
 * cannot be read is one of them, so that somebody sees it
 */
export async function forEachMessage<Message>(
  event: SQSEvent,
  schema: z.ZodMiniType<Message>,
  log: Logger,
  handle: (message: Message) => Promise<void>,
): Promise<SQSBatchResponse> {
  const failures = await Promise.all(
    event.Records.map(async ({ messageId, body }) => {
      try {
        await handle(schema.parse(JSON.parse(body)));
        return [];
      } catch (error) {
        log.error('message failed', { message_id: messageId, ...errorFields(error) });
        return [{ itemIdentifier: messageId }];
      }
    }),
  );
  return { batchItemFailures: failures.flat() };
}

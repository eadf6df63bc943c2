import { memoize } from '#functions/platform/memoize';
import type { Runtime } from '#functions/platform/runtime';
import type { Queue } from '#functions/queues/queue';
import type { openQueues } from '#functions/queues/sqs';

/** The client is loaded with the first message, for functions that rarely send one. */
export function createLateQueue<Message>(
  environment: Parameters<typeof openQueues>[0],
  runtime: Runtime,
  url: string,
): Queue<Message> {
  const queue = memoize(async () => {
    const { createQueue, openQueues: open } = await import('#functions/queues/sqs');
    return createQueue<Message>(open(environment, runtime), url, runtime.log);
  });
  return { send: async (messages) => (await queue()).send(messages) };
}

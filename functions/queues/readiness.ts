import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { Runtime } from '#functions/platform/runtime';
import { openQueues } from '#functions/queues/sqs';

/** Nothing is sent. */
export async function healthCheckQueue(
  environment: Parameters<typeof openQueues>[0],
  runtime: Runtime,
  ...urls: readonly (string | undefined)[]
): Promise<void> {
  const client = openQueues(environment, runtime);
  await Promise.all(
    urls.map(
      async (QueueUrl) =>
        QueueUrl === undefined ||
        client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] })),
    ),
  );
}

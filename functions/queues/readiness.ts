import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { HealthCheck } from '#functions/platform/readiness';
import type { Runtime } from '#functions/platform/runtime';
import { openQueues } from '#functions/queues/sqs';

/** Nothing is sent. */
export function healthCheckQueue(
  environment: Parameters<typeof openQueues>[0],
  runtime: Runtime,
  ...urls: readonly (string | undefined)[]
): HealthCheck {
  return async () => {
    const client = openQueues(environment, runtime);
    await Promise.all(
      urls.map(
        async (QueueUrl) =>
          QueueUrl === undefined ||
          client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] })),
      ),
    );
  };
}

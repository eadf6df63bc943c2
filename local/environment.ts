import { type Environment, environment as environmentSchema } from '#functions/platform/environment';
import type { ensureKeys } from '#local/keys';
import { EXPORT_BUCKET, type Queues } from '#local/queues';
import { TABLE_NAME } from '#local/running';

export const GATE_KEY_PAIR = 'local';

export interface LocalParts {
  readonly endpoint: string;
  readonly keys: ReturnType<typeof ensureKeys>;
  readonly url: string;
  readonly queues: Queues;
  readonly auditCheckpointsFile: string;
  /** Overrides the others. */
  readonly more: Readonly<Record<string, string | undefined>>;
}

/** In the cloud each function has its own. */
export function localEnvironment({
  endpoint,
  keys,
  url,
  queues,
  auditCheckpointsFile,
  more,
}: LocalParts): Environment {
  return environmentSchema.parse({
    TABLE_NAME,
    DYNAMODB_ENDPOINT: endpoint,
    KEYS_JSON: JSON.stringify(keys.application),
    PUBLIC_BASE_URL: url,
    CLOUDFRONT_KEY_PAIR_ID: GATE_KEY_PAIR,
    CLOUDFRONT_PRIVATE_KEY: keys.siteGate.privateKey,
    DELIVER_QUEUE_URL: queues.urls.deliver,
    NOTIFY_QUEUE_URL: queues.urls.notify,
    CALLBACK_QUEUE_URL: queues.urls.callback,
    REDISTRIBUTE_QUEUE_URL: queues.urls.redistribute,
    DISTRIBUTE_QUEUE_URL: queues.urls.distribute,
    DELIVER_DLQ_URL: queues.deadLetterUrls.deliver,
    SQS_ENDPOINT: queues.endpoint,
    EXPORT_BUCKET,
    S3_ENDPOINT: queues.endpoint,
    AUDIT_CHECKPOINTS_FILE: auditCheckpointsFile,
    ALLOW_PRIVATE_HOSTS: '1',
    ...more,
  });
}

import type { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { StoredFiles } from '#functions/exports/file-store';
import type { Http } from '#functions/net/http';

/** What a process calls: AWS and partners; the simulator replaces them. */
export interface ExternalServices {
  readonly table: Pick<DynamoDBDocumentClient, 'send'>;
  readonly queues: Pick<SQSClient, 'send'>;
  readonly http: Http;
  /** Reports like a channel (`channels/channel.ts`). */
  readonly mail: (
    message: { readonly messageId: string; readonly text: string },
    timeouts: { readonly confirmation: number },
  ) => Promise<MailReport>;
  readonly files?: StoredFiles;
  /** The slow hash of a password. */
  readonly scrypt?: (password: string, salt: Buffer, length: number) => Promise<Buffer>;
}

export interface MailReport {
  readonly outcome: 'delivered' | 'transient' | 'permanent' | 'unknown';
  readonly status_code: null;
  readonly request: null;
  readonly answer: null;
  readonly external_id: string | null;
  readonly error: string | null;
  readonly misconfigured?: boolean;
  readonly unconfirmed?: true;
  readonly bounce?: { readonly hard: boolean; readonly code: string };
}

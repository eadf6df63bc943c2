import type { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Mail } from '#functions/channels/smtp';
import type { Http } from '#functions/net/http';

/** What a process calls: in the product AWS and partners; the simulator answers in their place. */
export interface Outside {
  /** Handles the commands of DynamoDB's document client. */
  readonly table: Pick<DynamoDBDocumentClient, 'send'>;
  readonly queues: Pick<SQSClient, 'send'>;
  readonly http: Http;
  /** Holds the conversation with a mail server. */
  readonly mail: Mail;
}

/** Sends a plain-text e-mail by SES. */
import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { atEndpoint } from '#functions/sdk-client';

export interface OperatorEmail {
  /** The address of SES; undefined in the cloud. */
  readonly endpoint: string | undefined;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** @throws Error when SES does not accept the e-mail */
export async function sendBySes({ endpoint, from, to, subject, text }: OperatorEmail): Promise<void> {
  const client = new SESClient({
    maxAttempts: 3,
    ...atEndpoint(endpoint),
  });
  try {
    await client.send(
      new SendEmailCommand({
        Source: from,
        Destination: { ToAddresses: [to] },
        Message: {
          Subject: { Data: subject, Charset: 'UTF-8' },
          Body: { Text: { Data: text, Charset: 'UTF-8' } },
        },
      }),
    );
  } finally {
    client.destroy();
  }
}

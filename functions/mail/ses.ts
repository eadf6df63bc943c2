import { SESClient, SendEmailCommand, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { unsubscribeHeaders } from '#functions/mail/unsubscribe-headers';
import { atEndpoint } from '#functions/platform/sdk-client';

export interface PlainEmail {
  /** Undefined in the cloud. */
  readonly endpoint: string | undefined;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Where a POST unsubscribes. */
  readonly unsubscribe?: string;
}

/** @throws Error if SES does not accept the e-mail */
export async function sendBySes(email: PlainEmail): Promise<void> {
  const { endpoint, from, to, subject, text, unsubscribe } = email;
  const client = new SESClient({ maxAttempts: 3, ...atEndpoint(endpoint) });
  try {
    if (unsubscribe !== undefined) await client.send(await rawCommand(email));
    else
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

/** SES takes headers only as part of a whole message. */
async function rawCommand(email: PlainEmail): Promise<SendRawEmailCommand> {
  const { from, to, subject, text } = email;
  const { createTransport } = await import('nodemailer');
  const inMemory = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const { message } = await inMemory.sendMail({
    from: { name: '', address: from },
    to: { name: '', address: to },
    subject,
    text,
    headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(email) },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  if (!Buffer.isBuffer(message)) throw new TypeError('The message is not a buffer');
  return new SendRawEmailCommand({ Source: from, Destinations: [to], RawMessage: { Data: message } });
}

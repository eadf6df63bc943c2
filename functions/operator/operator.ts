/** What the platform itself has to say to whoever operates it, by SES. */
import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import type * as z from 'zod';
import type { operatorEnvironment } from '#functions/environment';
import { errorFields, type Logger } from '#functions/logger';

/** Tells the operator; never throws, because what it reports has happened already. */
export type TellOperator = (subject: string, text: string) => Promise<void>;

/** Without OPERATOR_EMAIL and SES_FROM the subject goes to the log alone. Texts hold ids, no personal data. */
export function createOperator(environment: z.output<typeof operatorEnvironment>, log: Logger): TellOperator {
  const { OPERATOR_EMAIL: to, SES_FROM: from, SES_ENDPOINT: endpoint } = environment;
  if (to === undefined || from === undefined)
    return async (subject) => log.warn('operator has no address', { subject });
  const client = new SESClient({
    maxAttempts: 3,
    ...(endpoint !== undefined && {
      endpoint,
      region: 'local',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
  });
  return async (subject, text) => {
    log.warn('operator told', { subject });
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
    } catch (error) {
      log.error('operator could not be told', { subject, ...errorFields(error) });
    }
  };
}

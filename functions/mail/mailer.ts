import type * as z from 'zod/mini';
import type { mailEnvironment } from '#functions/platform/environment';
import { errorFields, type Logger } from '#functions/platform/logger';

/** Never throws. @param unsubscribe where a POST unsubscribes @returns false also if no sender is set up */
export type Mail = (to: string, subject: string, text: string, unsubscribe?: string) => Promise<boolean>;

export function createMailer(environment: z.output<typeof mailEnvironment>, log: Logger): Mail {
  const { SES_FROM: from, SES_ENDPOINT: endpoint } = environment;
  if (from === undefined) return async () => false;
  return async (to, subject, text, unsubscribe) => {
    try {
      const { sendBySes } = await import('#functions/mail/ses');
      await sendBySes({
        endpoint,
        from,
        to,
        subject,
        text,
        ...(unsubscribe !== undefined && { unsubscribe }),
      });
      return true;
    } catch (error) {
      log.error('e-mail not sent', errorFields(error));
      return false;
    }
  };
}

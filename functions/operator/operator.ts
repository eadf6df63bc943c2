/** What the platform itself has to say to whoever operates it, by SES. */
import type * as z from 'zod/mini';
import type { operatorEnvironment } from '#functions/environment';
import { errorFields, type Logger } from '#functions/logger';

/** Tells the operator; never throws, because what it reports has happened already. */
export type TellOperator = (subject: string, text: string) => Promise<void>;

/** Without OPERATOR_EMAIL and SES_FROM the subject goes to the log alone. Texts hold ids, no personal data. */
export function createOperator(environment: z.output<typeof operatorEnvironment>, log: Logger): TellOperator {
  const { OPERATOR_EMAIL: to, SES_FROM: from, SES_ENDPOINT: endpoint } = environment;
  if (to === undefined || from === undefined)
    return async (subject) => log.warn('operator has no address', { subject });
  return async (subject, text) => {
    log.warn('operator told', { subject });
    try {
      // Loaded only when something has gone wrong for good.
      const { sendBySes } = await import('#functions/operator/ses');
      await sendBySes({ endpoint, from, to, subject, text });
    } catch (error) {
      log.error('operator could not be told', { subject, ...errorFields(error) });
    }
  };
}

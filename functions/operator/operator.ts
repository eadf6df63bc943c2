import type * as z from 'zod/mini';
import type { operatorEnvironment } from '#functions/platform/environment';
import { errorFields, type Logger } from '#functions/platform/logger';

/** Never throws. The text contains IDs and no personal data. */
export type NotifyOperator = (subject: string, text: string) => Promise<void>;

/** @throws Error if SES does not accept it */
export type MailOperator = (subject: string, text: string) => Promise<void>;

/** Undefined without OPERATOR_EMAIL or SES_FROM. */
export function createOperatorMail({
  OPERATOR_EMAIL: to,
  SES_FROM: from,
  SES_ENDPOINT: endpoint,
}: z.output<typeof operatorEnvironment>): MailOperator | undefined {
  if (to === undefined || from === undefined) return undefined;
  return async (subject, text) => {
    const { sendBySes } = await import('#functions/mail/ses');
    await sendBySes({ endpoint, from, to, subject, text });
  };
}

type OperatorEnvironment = z.output<typeof operatorEnvironment>;

/** Without OPERATOR_EMAIL or SES_FROM the subject is only logged. */
export function createOperator(environment: OperatorEnvironment, log: Logger): NotifyOperator {
  const mail = createOperatorMail(environment);
  if (mail === undefined) return async (subject) => log.warn('operator has no address', { subject });
  return async (subject, text) => {
    log.warn('operator notified', { subject });
    try {
      await mail(subject, text);
    } catch (error) {
      log.error('operator could not be notified', { subject, ...errorFields(error) });
    }
  };
}

import { isEmailAddress } from '#shared/rules/validation';

/** Why a template cannot send: SMTP submission never uses the relay port, and a sender needs an address. */
export type SenderProblem = 'relay_port' | 'no_sender';

/** The port between mail servers, which cloud networks block. */
const RELAY_PORT = 25;

/** The address in From: the template's own, else the SMTP user where that is an address. */
export function senderOf({ smtp_from, smtp_user }: { smtp_from: string; smtp_user: string }): string {
  return smtp_from || smtp_user;
}

/** What keeps every e-mail of a template from being sent, as far as it can be known without its server. */
export function senderProblem(template: {
  smtp_from: string;
  smtp_user: string;
  smtp_port: number;
}): SenderProblem | undefined {
  if (template.smtp_port === RELAY_PORT) return 'relay_port';
  return isEmailAddress(senderOf(template)) ? undefined : 'no_sender';
}

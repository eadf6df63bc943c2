import { isEmailAddress } from '#shared/rules/validation';

/** SMTP submission never uses the relay port, and a sender needs an address. */
export type SenderProblem = 'relay_port' | 'no_sender';

/** Between mail servers; cloud networks block it. */
const RELAY_PORT = 25;

export function senderOf({ smtp_from, smtp_user }: { smtp_from: string; smtp_user: string }): string {
  return smtp_from || smtp_user;
}

/** Problems that the settings show without a connection to the mail server. */
export function senderProblem(template: {
  smtp_from: string;
  smtp_user: string;
  smtp_port: number;
}): SenderProblem | undefined {
  if (template.smtp_port === RELAY_PORT) return 'relay_port';
  return isEmailAddress(senderOf(template)) ? undefined : 'no_sender';
}

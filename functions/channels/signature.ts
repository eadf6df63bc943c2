import { Webhook } from 'standardwebhooks';

/**
 * The headers that sign a call as Standard Webhooks 1.0 has it
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
 * @param message.id the same for every attempt, so that the receiver knows a repeated one; without a dot
 * @param secrets `whsec_…`, one, or two while one replaces the other
 * @throws Error for a secret that is no base64
 */
export function signatureHeaders(
  message: { readonly id: string; readonly at: Date; readonly body: string },
  secrets: readonly string[],
): {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
} {
  const { id, at, body } = message;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}

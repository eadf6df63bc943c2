import { de } from './messages';

/** What API Gateway says, without a code, when it answers instead of a function. */
const GATEWAY_TEXTS: ReadonlyMap<string, string> = new Map([
  ['Forbidden', de.serverFailed],
  ['Internal Server Error', de.serverFailed],
  ['Limit Exceeded', de.tooManyCalls],
  ['Not Found', de.serverFailed],
  ['Request Too Long', de.serverFailed],
  ['Service Unavailable', de.serverFailed],
  ['Too Many Requests', de.tooManyCalls],
]);

/** As `ApiError` has it. */
interface Failure {
  readonly status: number;
  readonly code?: string | undefined;
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly isDefault: boolean;
}

/**
 * The text of a failed call. The server refuses a claim in German and speaks English otherwise; its English texts are
 * told by their codes. The default texts of the catalogue stay as they are specified, and so does any text with a code
 * that is not known here.
 */
export function failureText({ status, code, message, fields, isDefault }: Failure): string {
  if (isDefault) return message;
  if (code === undefined) return GATEWAY_TEXTS.get(message) ?? message;
  if (status === 429) return de.tooManyCalls;
  if (status >= 500) return de.serverFailed;
  // Of all that a request may carry only the reason of a claim is refused in German.
  if (code === 'invalid_input' && Object.keys(fields).join() === 'claim_reason') return message;
  return de.refused[code] ?? message;
}

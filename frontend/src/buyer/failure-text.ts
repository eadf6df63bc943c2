import { de } from './messages';

/**
 * The text of a failed call. The server's own is German where it refuses what a buyer did, and nowhere else.
 * @param status the HTTP status; 0 when no answer came
 * @param text the server's
 */
export function failureText(status: number, text: string): string {
  if (status === 0) return de.noAnswer;
  if (status === 429) return de.tooManyCalls;
  return status >= 500 ? de.serverFailed : text;
}

import { de } from './messages';

/**
 * The text of a failed call. The server's own is German where it refuses what a buyer did, and nowhere else; the default
 * texts of the catalogue stay as they are specified.
 * @param status the HTTP status; 0 when no answer came
 * @param text the server's, or the default
 * @param isDefault the server gave none of its own
 */
export function failureText(status: number, text: string, isDefault: boolean): string {
  if (isDefault) return text;
  if (status === 429) return de.tooManyCalls;
  return status >= 500 ? de.serverFailed : text;
}

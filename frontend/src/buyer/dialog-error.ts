import { ApiError } from '../app/api';
import { de } from './messages';
import { refusalText } from './refusal-text';

/** The text of a failed call of a dialog. */
export function errorText(error: unknown): string {
  return error instanceof ApiError ? refusalText(error) : de.serverFailed;
}

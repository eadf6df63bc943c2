import { ApiError } from '../app/api';
import { de } from './messages';
import { refusalText } from './refusal-text';

export function errorText(error: unknown): string {
  return error instanceof ApiError ? refusalText(error) : de.serverFailed;
}

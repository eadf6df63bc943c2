import { ApiError } from '../app/api';
import { PasskeyError } from '../app/passkeys';
import { LOGIN_FAILED } from '../app/texts';

export function textOfError(error: unknown): string {
  return error instanceof ApiError || error instanceof PasskeyError ? error.message : LOGIN_FAILED;
}

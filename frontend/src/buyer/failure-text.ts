import { de } from './messages';

/** As `ApiError` has it. */
export interface Failure {
  readonly status: number;
  readonly code?: string | undefined;
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly isDefault: boolean;
}

/** The text of a failed call: the default of the catalogue as it is specified, German where the server itself has failed. */
export function failureText({ status, message, isDefault }: Omit<Failure, 'code' | 'fields'>): string {
  if (isDefault) return message;
  if (status === 429) return de.tooManyCalls;
  return status >= 500 ? de.serverFailed : message;
}

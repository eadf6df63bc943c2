import { de } from './messages';

export interface Failure {
  readonly status: number;
  readonly code?: string | undefined;
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly isDefault: boolean;
}

/** The specified default, or German if the server failed or was not reached. */
export function failureText({ status, message, isDefault }: Omit<Failure, 'code' | 'fields'>): string {
  if (status === 0) return de.noAnswer;
  if (isDefault) return message;
  if (status === 429) return de.tooManyCalls;
  return status >= 500 ? de.serverFailed : message;
}

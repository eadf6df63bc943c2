import * as sessionStore from '#functions/data/administration/session-store';
import type { Context } from '#functions/data/context';
import { tooManyAttempts } from '#functions/domain/common/errors';

interface Limit {
  readonly most: number;
  readonly seconds: number;
  readonly message: string;
  readonly code?: string;
}

/** Counts before it checks, so that parallel attempts cannot exceed the limit. @throws DomainError `too_many` */
export async function limitAttempts(
  context: Context,
  of: string,
  { most, seconds, message, code }: Limit,
  by = 1,
): Promise<void> {
  const now = context.runtime.now();
  const { count, until } = await sessionStore.countAttempt(context, of, now, seconds, by);
  if (count > most) throw tooManyAttempts(message, until.getTime() - now.getTime(), code);
}

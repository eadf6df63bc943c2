import type { Answer } from '#shared/contract/schemas';
import { call } from './api';

type Check = Answer<'checkAuth'>;

let prefetched: Promise<Check> | undefined;

/**
 * Asks whether there is a session while the app is still on its way: one round trip less.
 * @returns whether there is one for the screens; false where no answer came, too, which `checkSession` tells apart
 */
export function prefetchSession(): Promise<boolean> {
  prefetched = ask();
  return prefetched.then(
    ({ authenticated, passkey_required }) => authenticated && passkey_required !== true,
    () => false,
  );
}

/**
 * Whether there is a session: what was asked early, the first time, else asked now.
 * @throws ApiError when no answer came
 */
export function checkSession(signal: AbortSignal): Promise<Check> {
  const first = prefetched;
  prefetched = undefined;
  return first ?? ask(signal);
}

const ask = (signal?: AbortSignal): Promise<Check> => call('checkAuth', {}, signal && { signal });

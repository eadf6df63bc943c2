import type { Answer } from '#shared/contract/schemas';
import { call } from './api';

type Check = Answer<'checkAuth'>;

let prefetched: Promise<Check> | undefined;

/** Saves a round trip while the app loads. @returns false also without an answer */
export function prefetchSession(): Promise<boolean> {
  prefetched = ask();
  return prefetched.then(
    ({ authenticated, passkey_required }) => authenticated && passkey_required !== true,
    () => false,
  );
}

/** Uses the prefetched answer once. @throws ApiError without an answer */
export function checkSession(signal: AbortSignal): Promise<Check> {
  const first = prefetched;
  prefetched = undefined;
  return first ?? ask(signal);
}

const ask = (signal?: AbortSignal): Promise<Check> => call('checkAuth', {}, signal && { signal });

import { call } from './api';

let prefetched: Promise<boolean> | undefined;

/**
 * Asks whether there is a session while the app is still on its way: one round trip less.
 * @returns false where no answer came, too, which `checkSession` tells apart
 */
export function prefetchSession(): Promise<boolean> {
  prefetched = ask();
  return prefetched.catch(() => false);
}

/**
 * Whether there is a session: what was asked early, the first time, else asked now.
 * @throws ApiError when no answer came
 */
export function checkSession(signal: AbortSignal): Promise<boolean> {
  const first = prefetched;
  prefetched = undefined;
  return first ?? ask(signal);
}

async function ask(signal?: AbortSignal): Promise<boolean> {
  const { authenticated } = await call('checkAuth', {}, signal && { signal });
  return authenticated;
}

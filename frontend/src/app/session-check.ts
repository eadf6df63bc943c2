import { call } from './api';

let prefetched: Promise<boolean> | undefined;

/** Asks whether there is a session while the app is still on its way: one round trip less. */
export function prefetchSession(): void {
  prefetched = ask();
  // Whoever takes the answer handles its failure; until then it is not an unhandled one.
  prefetched.catch(() => {});
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

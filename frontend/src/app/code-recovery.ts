/** What to do if code could not be loaded. Browsers try again only after a reload. */
import { call } from './api';

/** Prevents reload loops. */
const MIN_BETWEEN_RELOADS_MS = 60_000;
const CHECK_EVERY_MS = 3000;
const CHECK_TIMEOUT_MS = 8000;
/** The last reloaded screen, and when. */
const LAST_RELOAD = 'last-reload';

type Obstacle = 'no-connection' | 'no-session';

/** Admin scripts need a session. */
export async function obstacle(needsSession: boolean, signal?: AbortSignal): Promise<Obstacle | undefined> {
  if (!navigator.onLine) return 'no-connection';
  const timeout = AbortSignal.timeout(CHECK_TIMEOUT_MS);
  try {
    const { authenticated } = await call(
      'checkAuth',
      {},
      { signal: signal ? AbortSignal.any([signal, timeout]) : timeout },
    );
    return needsSession && !authenticated ? 'no-session' : undefined;
  } catch {
    return 'no-connection';
  }
}

/** Waits for a connection, at most for a while, because browsers do not notice every lost connection. */
export function nextChance(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      window.removeEventListener('online', over);
      resolve();
    };
    const timer = setTimeout(over, CHECK_EVERY_MS);
    window.addEventListener('online', over);
    signal.addEventListener('abort', over, { once: true });
  });
}

/** @returns false if the last reload is too recent */
export function reloadOnce(): boolean {
  const { pathname } = window.location;
  try {
    const [at, path] = (window.sessionStorage.getItem(LAST_RELOAD) ?? '').split(' ');
    if (path === pathname && Date.now() - Number(at) < MIN_BETWEEN_RELOADS_MS) return false;
    window.sessionStorage.setItem(LAST_RELOAD, `${Date.now()} ${pathname}`);
  } catch {
    // Without storage this could be the hundredth reload.
    return false;
  }
  window.location.reload();
  return true;
}

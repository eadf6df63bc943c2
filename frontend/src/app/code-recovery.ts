/** What to do where a part of the app's code could not be loaded. Browsers load it again after a reload only. */
import { call } from './api';

/** How soon an automatic reload of a screen may follow another: never so that one leads to the next. */
const MIN_BETWEEN_RELOADS_MS = 60_000;
const CHECK_EVERY_MS = 3000;
const CHECK_TIMEOUT_MS = 8000;
/** Where the tab keeps which screen was reloaded last, and when. */
const LAST_RELOAD = 'last-reload';

/** Why a reload would not bring the missing code. */
type Obstacle = 'no-connection' | 'no-session';

/** Asks the server what stands in the way of a reload. The scripts of the admin app are for sessions only. */
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

/** Waits for the connection to come back, or for a while: not every break of it is noticed by the browser. */
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

/** Reloads the page. @returns false, without a reload, where the last one of this screen is too recent to have helped */
export function reloadOnce(): boolean {
  const { pathname } = window.location;
  try {
    const [at, path] = (window.sessionStorage.getItem(LAST_RELOAD) ?? '').split(' ');
    if (path === pathname && Date.now() - Number(at) < MIN_BETWEEN_RELOADS_MS) return false;
    window.sessionStorage.setItem(LAST_RELOAD, `${Date.now()} ${pathname}`);
  } catch {
    // Without a memory of it, it could be the hundredth reload.
    return false;
  }
  window.location.reload();
  return true;
}

import { API_DOCS_PATH } from '#shared/contract/web-headers';
import { call } from './api';

/**
 * The scripts of the admin part are for sessions only. When one is refused because the session has ended, the login
 * page is the way on, loaded afresh: a script that failed once stays failed for the page that asked for it.
 */
export function redirectToLoginOnChunkError(): void {
  window.addEventListener('vite:preloadError', () => {
    const { pathname } = window.location;
    if (pathname.startsWith('/dashboard') || pathname === API_DOCS_PATH) void redirectWithoutSession();
  });
}

async function redirectWithoutSession(): Promise<void> {
  try {
    const { authenticated } = await call('checkAuth', {});
    if (!authenticated) window.location.replace('/');
  } catch {
    // Without an answer the page says that it could not be shown and offers to reload.
  }
}

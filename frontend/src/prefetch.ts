/**
 * What cannot wait for the app. It stands in a small script of its own, which the document names before the first one:
 * it runs while the app is still on its way.
 */
import { applyColorScheme } from './app/color-scheme';
import { loadLeadListPage, loadLoginPage } from './app/pages';
import { prefetchSession } from './app/session-check';
import { prefetchView } from './buyer/load-view';

/** Begins to fetch the page at a path, with its styles and what it asks first; a failure shows when the app wants it. */
function prefetchPage(path: string): void {
  if (path.startsWith('/leads/')) {
    prefetchView(path);
    loadLeadListPage().catch(() => {});
    return;
  }
  prefetchSession();
  if (path === '/') loadLoginPage().catch(() => {});
}

applyColorScheme();
prefetchPage(window.location.pathname);

/**
 * What cannot wait for the app. It stands in a small script of its own, which the document names before the first one:
 * it runs while the app is still on its way.
 */
import { INVITATION_PATH, STATUS_PATH } from '#shared/contract/web-headers';
import { applyColorScheme } from './app/color-scheme';
import { prefetchSession } from './app/session-check';
import { prefetchView } from './buyer/load-view';
import {
  loadInvitationPage,
  loadLeadListPage,
  loadLoginPage,
  loadSpecificationPage,
  loadStatusPage,
  prefetchScreen,
} from './pages';

/** Begins to fetch the page at a path, with its styles and what it asks first; a failure shows when the app wants it. */
function prefetchPage(path: string): void {
  if (path.startsWith('/leads/')) {
    prefetchView(path);
    loadLeadListPage().catch(() => {});
    return;
  }
  if (path.startsWith('/specification/')) {
    loadSpecificationPage().catch(() => {});
    return;
  }
  if (path === INVITATION_PATH) loadInvitationPage().catch(() => {});
  if (path === STATUS_PATH) {
    loadStatusPage().catch(() => {});
    return;
  }
  if (path === '/') loadLoginPage().catch(() => {});
  void prefetchScreenOf(path);
}

/** Only who has a session is given the screens' code, and browsers ask once for what they could not load. */
async function prefetchScreenOf(path: string): Promise<void> {
  const found = await prefetchSession();
  if (found && path.startsWith('/dashboard')) prefetchScreen(path);
}

applyColorScheme();
prefetchPage(window.location.pathname);

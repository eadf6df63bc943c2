/** A separate script that runs while the app loads. */
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

/** The app shows a failure when it needs the page. */
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

/** Screens need a session, and browsers request failed modules only once. */
async function prefetchScreenOf(path: string): Promise<void> {
  const found = await prefetchSession();
  if (found && path.startsWith('/dashboard')) prefetchScreen(path);
}

applyColorScheme();
prefetchPage(window.location.pathname);

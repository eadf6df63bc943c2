import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import {
  API_DOCS_PATH,
  CONSENT_LINK_PATHS,
  INVITATION_PATH,
  PROOF_PATH,
  STATUS_PATH,
} from '#shared/contract/web-headers';
import { AuthProvider, useAuth } from './app/auth';
import { PageBoundary, RECOVERY_DE, RECOVERY_EN } from './app/CodeRecovery';
import { CompanyFooter } from './app/CompanyFooter';
import { CONNECTION_DE, CONNECTION_EN, ConnectionBar } from './app/ConnectionBar';
import { createQueryClient } from './app/query-client';
import {
  loadAdminApp,
  loadApiDocsPage,
  loadConsentLinkPage,
  loadErasurePage,
  loadInvitationPage,
  loadLeadListPage,
  loadLoginPage,
  loadPasskeySetupPage,
  loadProofPage,
  loadSessionDialog,
  loadSpecificationPage,
  loadStatusPage,
  loadUnsubscribePage,
  SCREEN_CODE,
} from './pages';
import { LoadingScreen } from './ui/LoadingScreen';
import { lazyComponent } from './ui/lazy-component';

const LoginPage = lazyComponent(loadLoginPage);
const InvitationPage = lazyComponent(loadInvitationPage);
const PasskeySetupPage = lazyComponent(loadPasskeySetupPage);
const SessionDialog = lazyComponent(loadSessionDialog);
const AdminApp = lazyComponent(loadAdminApp);
const ApiDocsPage = lazyComponent(loadApiDocsPage);
const SCREENS = Object.entries(SCREEN_CODE).map(([path, load]) => ({ path, Screen: lazyComponent(load) }));

const EN = { language: 'en', recovery: RECOVERY_EN, connection: CONNECTION_EN } as const;
const DE = { language: 'de', recovery: RECOVERY_DE, connection: CONNECTION_DE } as const;

/** For everyone with a link. */
const LINK_PAGES = [
  { path: '/leads/:token', texts: DE, Page: lazyComponent(loadLeadListPage) },
  { path: '/erasure/:token', texts: DE, Page: lazyComponent(loadErasurePage) },
  ...Object.values(CONSENT_LINK_PATHS).map((path) => ({
    path: `${path}:token`,
    texts: DE,
    Page: lazyComponent(loadConsentLinkPage),
  })),
  { path: '/unsubscribe/:token', texts: DE, Page: lazyComponent(loadUnsubscribePage) },
  { path: PROOF_PATH, texts: DE, Page: lazyComponent(loadProofPage) },
  { path: '/specification/:token', texts: EN, Page: lazyComponent(loadSpecificationPage) },
  { path: STATUS_PATH, texts: EN, Page: lazyComponent(loadStatusPage) },
];

export function App() {
  const [queries] = useState(createQueryClient);
  const [pathname] = useLocation();
  // Only the login page's code is public.
  const needsSession = pathname !== '/' && pathname !== INVITATION_PATH;
  return (
    <QueryClientProvider client={queries}>
      <Switch>
        {LINK_PAGES.map(({ path, texts: { language, recovery, connection }, Page }) => (
          <Route key={path} path={path}>
            <div className="plain-page link-page">
              <PageBoundary texts={recovery}>
                <Suspense fallback={<LoadingScreen text={recovery.checking} />}>
                  <Page />
                </Suspense>
              </PageBoundary>
              <CompanyFooter language={language} />
            </div>
            <ConnectionBar texts={connection} />
          </Route>
        ))}
        <Route>
          <PageBoundary texts={EN.recovery} needsSession={needsSession}>
            <AuthProvider sessionDialog={<SessionDialog />}>
              <Suspense fallback={<LoadingScreen />}>
                <AdminScreens />
              </Suspense>
            </AuthProvider>
          </PageBoundary>
          <ConnectionBar texts={EN.connection} />
        </Route>
      </Switch>
    </QueryClientProvider>
  );
}

function AdminScreens() {
  return (
    <Switch>
      <Route path="/">
        <RequireAuthState is="not-authenticated" redirectTo="/dashboard">
          <LoginPage />
        </RequireAuthState>
      </Route>
      <Route path={INVITATION_PATH}>
        <InvitationPage />
      </Route>
      <Route path="/dashboard/*?">
        <RequireAuthState is="authenticated" redirectTo="/">
          <AdminApp screens={SCREENS} />
        </RequireAuthState>
      </Route>
      <Route path={API_DOCS_PATH}>
        <RequireAuthState is="authenticated" redirectTo="/">
          <ApiDocsPage />
        </RequireAuthState>
      </Route>
      <Route>
        <Redirect to="/" replace />
      </Route>
    </Switch>
  );
}

interface RequireProps {
  readonly is: 'authenticated' | 'not-authenticated';
  readonly redirectTo: string;
  readonly children: ReactNode;
}

function RequireAuthState({ is, redirectTo, children }: RequireProps) {
  const { state, passkeyRequired } = useAuth();
  if (state === 'unknown') return <LoadingScreen />;
  const isShown = is === (state === 'expired' ? 'authenticated' : state);
  if (isShown && state === 'authenticated' && passkeyRequired) return <PasskeySetupPage />;
  return isShown ? children : <Redirect to={redirectTo} replace />;
}

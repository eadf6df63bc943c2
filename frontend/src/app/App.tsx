import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { API_DOCS_PATH, INVITATION_PATH, STATUS_PATH } from '#shared/contract/web-headers';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { LoadingScreen } from '../ui/LoadingScreen';
import { lazyComponent } from '../ui/lazy-component';
import { AuthProvider, useAuth } from './auth';
import { CodeRecovery, RECOVERY_DE, RECOVERY_EN } from './CodeRecovery';
import {
  loadAdminApp,
  loadErasurePage,
  loadInvitationPage,
  loadLeadListPage,
  loadLoginPage,
  loadPasskeySetupPage,
  loadSpecificationPage,
  loadStatusPage,
  loadUnsubscribePage,
} from './pages';
import { createQueryClient } from './query-client';

const LoginPage = lazyComponent(async () => (await loadLoginPage()).LoginPage);
const InvitationPage = lazyComponent(async () => (await loadInvitationPage()).InvitationPage);
const PasskeySetupPage = lazyComponent(async () => (await loadPasskeySetupPage()).PasskeySetupPage);
const AdminApp = lazyComponent(async () => (await loadAdminApp()).AdminApp);
const ApiDocsPage = lazyComponent(async () => (await import('../admin/api-docs/ApiDocsPage')).ApiDocsPage);
const LeadListPage = lazyComponent(async () => (await loadLeadListPage()).LeadListPage);
const ErasurePage = lazyComponent(async () => (await loadErasurePage()).ErasurePage);
const UnsubscribePage = lazyComponent(async () => (await loadUnsubscribePage()).UnsubscribePage);
const SpecificationPage = lazyComponent(async () => (await loadSpecificationPage()).SpecificationPage);
const StatusPage = lazyComponent(async () => (await loadStatusPage()).StatusPage);

export function App() {
  const [queries] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queries}>
      <Switch>
        <Route path="/leads/:token">
          <ErrorBoundary
            title={RECOVERY_DE.failed}
            action={RECOVERY_DE.action}
            notLoaded={<CodeRecovery texts={RECOVERY_DE} />}
          >
            <Suspense fallback={<LoadingScreen text="Wird geladen …" />}>
              <LeadListPage />
            </Suspense>
          </ErrorBoundary>
        </Route>
        <Route path="/erasure/:token">
          <ErrorBoundary
            title={RECOVERY_DE.failed}
            action={RECOVERY_DE.action}
            notLoaded={<CodeRecovery texts={RECOVERY_DE} />}
          >
            <Suspense fallback={<LoadingScreen text="Wird geladen …" />}>
              <ErasurePage />
            </Suspense>
          </ErrorBoundary>
        </Route>
        <Route path="/unsubscribe/:token">
          <ErrorBoundary
            title={RECOVERY_DE.failed}
            action={RECOVERY_DE.action}
            notLoaded={<CodeRecovery texts={RECOVERY_DE} />}
          >
            <Suspense fallback={<LoadingScreen text="Wird geladen …" />}>
              <UnsubscribePage />
            </Suspense>
          </ErrorBoundary>
        </Route>
        <Route path="/specification/:token">
          <ErrorBoundary
            title={RECOVERY_EN.failed}
            action={RECOVERY_EN.action}
            notLoaded={<CodeRecovery texts={RECOVERY_EN} />}
          >
            <Suspense fallback={<LoadingScreen />}>
              <SpecificationPage />
            </Suspense>
          </ErrorBoundary>
        </Route>
        <Route path={STATUS_PATH}>
          <ErrorBoundary
            title={RECOVERY_EN.failed}
            action={RECOVERY_EN.action}
            notLoaded={<CodeRecovery texts={RECOVERY_EN} />}
          >
            <Suspense fallback={<LoadingScreen />}>
              <StatusPage />
            </Suspense>
          </ErrorBoundary>
        </Route>
        <Route>
          <ErrorBoundary
            title={RECOVERY_EN.failed}
            action={RECOVERY_EN.action}
            notLoaded={<AdminCodeRecovery />}
          >
            <AuthProvider>
              <Suspense fallback={<LoadingScreen />}>
                <AdminScreens />
              </Suspense>
            </AuthProvider>
          </ErrorBoundary>
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
          <AdminApp />
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

/** Only the login page's code is for everyone. */
function AdminCodeRecovery() {
  const [pathname] = useLocation();
  return <CodeRecovery texts={RECOVERY_EN} needsSession={pathname !== '/' && pathname !== INVITATION_PATH} />;
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

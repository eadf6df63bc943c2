import { usePrefetchQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { CodeRecovery, RECOVERY_EN } from '../app/CodeRecovery';
import { MantineRoot } from '../app/MantineRoot';
import { loadLeadPage, SCREEN_CODE } from '../app/pages';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { lazyComponent } from '../ui/lazy-component';
import './styles';
import { buyersQuery } from './data/buyers';
import { DialogsProvider } from './dialogs/DialogsProvider';
import { NotificationsProvider } from './notifications';
import { Shell } from './shell/Shell';
import { ScreenSkeleton } from './ui/states';

const DashboardPage = lazyComponent(async () => (await SCREEN_CODE['/dashboard']()).DashboardPage);
const PendingLeadsPage = lazyComponent(
  async () => (await SCREEN_CODE['/dashboard/ineligible-leads']()).PendingLeadsPage,
);
const ClaimsPage = lazyComponent(async () => (await SCREEN_CODE['/dashboard/claimed-leads']()).ClaimsPage);
const CreateLeadPage = lazyComponent(
  async () => (await SCREEN_CODE['/dashboard/create-lead']()).CreateLeadPage,
);
const StatisticsPage = lazyComponent(async () => (await SCREEN_CODE['/dashboard/stats']()).StatisticsPage);
const SettingsPage = lazyComponent(async () => (await SCREEN_CODE['/dashboard/settings']()).SettingsPage);
const LeadPage = lazyComponent(async () => (await loadLeadPage()).LeadPage);
const DeliveriesPage = lazyComponent(
  async () => (await SCREEN_CODE['/dashboard/deliveries']()).DeliveriesPage,
);
const AuditPage = lazyComponent(async () => (await SCREEN_CODE['/dashboard/audit']()).AuditPage);
const PeoplePage = lazyComponent(async () => (await SCREEN_CODE['/dashboard/people']()).PeoplePage);
const SourcesPage = lazyComponent(async () => (await SCREEN_CODE['/dashboard/sources']()).SourcesPage);
const AdminsPage = lazyComponent(async () => (await SCREEN_CODE['/dashboard/admins']()).AdminsPage);
const SimulatorPage = lazyComponent(async () => (await SCREEN_CODE['/dashboard/simulate']()).SimulatorPage);

/** Everything behind /dashboard. */
export function AdminApp() {
  const [pathname] = useLocation();
  return (
    <MantineRoot>
      <NotificationsProvider>
        <DialogsProvider>
          <Shell>
            <ErrorBoundary
              key={pathname}
              title={RECOVERY_EN.failed}
              action={RECOVERY_EN.action}
              notLoaded={<CodeRecovery texts={RECOVERY_EN} needsSession />}
            >
              <Suspense fallback={<ScreenSkeleton />}>
                <Switch>
                  <Route path="/dashboard">
                    <Dashboard />
                  </Route>
                  <Route path="/dashboard/ineligible-leads">
                    <PendingLeadsPage />
                  </Route>
                  <Route path="/dashboard/claimed-leads">
                    <ClaimsPage />
                  </Route>
                  <Route path="/dashboard/create-lead">
                    <CreateLeadPage />
                  </Route>
                  <Route path="/dashboard/stats">
                    <StatisticsPage />
                  </Route>
                  <Route path="/dashboard/settings">
                    <SettingsPage />
                  </Route>
                  <Route path="/dashboard/leads/:leadId">
                    <LeadPage />
                  </Route>
                  <Route path="/dashboard/deliveries">
                    <DeliveriesPage />
                  </Route>
                  <Route path="/dashboard/audit">
                    <AuditPage />
                  </Route>
                  <Route path="/dashboard/simulate">
                    <SimulatorPage />
                  </Route>
                  <Route path="/dashboard/admins">
                    <AdminsPage />
                  </Route>
                  <Route path="/dashboard/people">
                    <PeoplePage />
                  </Route>
                  <Route path="/dashboard/sources">
                    <SourcesPage />
                  </Route>
                  <Route>
                    <Redirect to="/" replace />
                  </Route>
                </Switch>
              </Suspense>
            </ErrorBoundary>
          </Shell>
        </DialogsProvider>
      </NotificationsProvider>
    </MantineRoot>
  );
}

/** The screen after the login: its buyers are fetched along with its script, not after it. */
function Dashboard() {
  usePrefetchQuery(buyersQuery);
  return (
    <Suspense fallback={<ScreenSkeleton />}>
      <DashboardPage />
    </Suspense>
  );
}

import { RightsProvider } from './data/rights';
import './styles';
import { MantineProvider } from '@mantine/core';
import { usePrefetchQuery } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { PageBoundary, RECOVERY_EN } from '../app/CodeRecovery';
import { buyersQuery } from './data/buyers';
import { DialogsProvider } from './dialogs/DialogsProvider';
import { NotificationsProvider } from './notifications';
import { Shell } from './shell/Shell';
import { useMayOpen, useScreenPath } from './shell/screens';
import { cssVariables, theme } from './theme';
import { EmptyState, ScreenSkeleton } from './ui/states';

interface Props {
  readonly screens: readonly { readonly path: string; readonly Screen: ComponentType }[];
}

/** Everything behind /dashboard. */
export function AdminApp({ screens }: Props) {
  const screen = useScreenPath();
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <NotificationsProvider>
        <RightsProvider>
          <DialogsProvider>
            <Shell>
              <PageBoundary key={screen} texts={RECOVERY_EN} needsSession>
                <Suspense fallback={<ScreenSkeleton />}>
                  {screen === '/dashboard' && <DashboardData />}
                  <AllowedScreen screen={screen}>
                    <Switch location={screen}>
                      {screens.map(({ path, Screen }) => (
                        <Route key={path} path={path}>
                          <Screen />
                        </Route>
                      ))}
                      <Route>
                        <Redirect to="/" replace />
                      </Route>
                    </Switch>
                  </AllowedScreen>
                </Suspense>
              </PageBoundary>
            </Shell>
          </DialogsProvider>
        </RightsProvider>
      </NotificationsProvider>
    </MantineProvider>
  );
}

function AllowedScreen({ screen, children }: { readonly screen: string; readonly children: ReactNode }) {
  return useMayOpen()(screen) ? (
    children
  ) : (
    <EmptyState title="Your role does not allow this" hint="Ask an admin with all rights if you need it." />
  );
}

/** Fetches the buyers of the screen after the login along with its script, not after it. */
function DashboardData() {
  usePrefetchQuery(buyersQuery);
  return null;
}

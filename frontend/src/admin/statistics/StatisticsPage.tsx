import { Group, Stack, Text } from '@mantine/core';
import { type ComponentType, Suspense } from 'react';
import { Redirect, useLocation, useSearch } from 'wouter';
import { lazyComponent } from '../../ui/lazy-component';
import { BuyerFilter } from '../ui/BuyerFilter';
import { Period } from '../ui/Period';
import { SectionLinks } from '../ui/SectionLinks';
import { ListSkeleton } from '../ui/states';
import { useUrlState } from '../ui/url-state';
import { Overview } from './Overview';
import { STATISTICS_DEFAULTS, STATISTICS_PATH, STATISTICS_TABS, type TabProps } from './tabs';

const CONTENTS: Readonly<Record<(typeof STATISTICS_TABS)[number]['path'], ComponentType<TabProps>>> = {
  '/dashboard/stats': Overview,
  '/dashboard/stats/deliveries': lazyComponent(
    async () => (await import('./DeliveryFigures')).DeliveryFigures,
  ),
  '/dashboard/stats/accounting': lazyComponent(async () => (await import('./Accounting')).Accounting),
};

/** The tabs, one at a time; the period and the buyer apply to all of them. */
export function StatisticsPage() {
  const [pathname] = useLocation();
  const search = useSearch();
  const [state, change] = useUrlState(STATISTICS_DEFAULTS);
  const shown = STATISTICS_TABS.find(({ path }) => path === pathname);
  if (shown === undefined) return <Redirect to={STATISTICS_PATH} replace />;
  const Content = CONTENTS[shown.path];
  return (
    <Stack gap="md">
      <Text c="dimmed">Analytics and performance metrics of your buyers</Text>
      <Group justify="space-between" align="flex-end">
        <SectionLinks
          label="Tabs of the statistics"
          sections={STATISTICS_TABS}
          shown={shown.path}
          search={search}
        />
        <Group gap="sm">
          {/* Accounting is always about all buyers. */}
          {Content !== CONTENTS['/dashboard/stats/accounting'] && (
            <BuyerFilter
              value={state.buyer}
              choose={(buyer) => change({ buyer })}
              describe={({ buyer_name }) => buyer_name}
            />
          )}
          <Period value={state} change={change} />
        </Group>
      </Group>
      <Suspense fallback={<ListSkeleton rows={5} />}>
        <Content state={state} change={change} />
      </Suspense>
    </Stack>
  );
}

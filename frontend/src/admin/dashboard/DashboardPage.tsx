import { Button, Group, Stack, Title } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconPercentage } from '@tabler/icons-react';
import { Suspense, useMemo } from 'react';
import { lazyComponent } from '../../ui/lazy-component';
import { type Buyer, isActiveBuyer, useBuyers } from '../data/buyers';
import { useDashboardStats } from '../data/insights';
import { usePinnedBuyers } from '../data/pinned-buyers';
import { Allowed, useMay } from '../data/rights';
import { useDialogs } from '../dialogs/dialogs';
import { useColumnVisibility } from '../ui/column-visibility';
import { DataTable } from '../ui/DataTable';
import { FilterChips } from '../ui/FilterChips';
import { FilterSwitch, SearchField } from '../ui/FilterFields';
import { countOf } from '../ui/labels';
import { EmptyState, ListSkeleton, QueryResult } from '../ui/states';
import { ToolButton } from '../ui/ToolButton';
import { oneOf, useUrlState } from '../ui/url-state';
import classes from './BuyersTable.module.css';
import { buyerColumns } from './buyer-columns';
import { StatsCards } from './StatsCards';

const FirstSteps = lazyComponent(async () => (await import('./FirstSteps')).FirstSteps);
const Reorders = lazyComponent(async () => (await import('../orders/Reorders')).Reorders);
const SilentSources = lazyComponent(async () => (await import('../sources/SilentSources')).SilentSources);

const DEFAULTS = { q: '', inactive: '0', sort: 'buyer_email', dir: 'asc' };

export function DashboardPage() {
  const may = useMay();
  const buyers = useBuyers();
  const { data: stats, failureCount } = useDashboardStats();
  const [isHidden, setHidden] = useLocalStorage({
    key: 'first-steps-hidden',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const isGuided = may('createBuyer') && buyers.data && stats?.first_lead_delivered === false && !isHidden;
  // Rendered only once it is known whether the guide is shown: moving the table would empty its search field.
  const isDecided = isHidden || stats !== undefined || failureCount > 0;
  return (
    <Stack gap="lg">
      {/* Shown as a whole, so that the guide does not move content that is already visible. */}
      <Suspense fallback={<ListSkeleton />}>
        {isGuided && (
          <FirstSteps
            buyers={buyers.data}
            failedDeliveries={stats.failed_deliveries_count}
            hide={() => setHidden(true)}
          />
        )}
        <Suspense fallback={null}>
          {buyers.data?.some(({ reorder }) => reorder !== null) && <Reorders />}
          <SilentSources />
        </Suspense>
        <StatsCards />
        <section aria-labelledby="buyers-title">
          <Title order={2} size="h4" id="buyers-title" mb={12}>
            Buyers &amp; Orders
          </Title>
          <QueryResult query={buyers} what="The buyers" skeleton={<ListSkeleton cards />}>
            {(rows) => (isDecided ? <BuyersTable buyers={rows} /> : <ListSkeleton cards />)}
          </QueryResult>
        </section>
      </Suspense>
    </Stack>
  );
}

function BuyersTable({ buyers }: { buyers: readonly Buyer[] }) {
  const dialogs = useDialogs();
  const [state, change] = useUrlState(DEFAULTS);
  const kept = usePinnedBuyers();
  const visibility = useColumnVisibility('buyers', buyerColumns);
  const dir = oneOf(state.dir, ['asc', 'desc']);
  const by = buyerColumns.some(({ key, sort }) => sort && key === state.sort) ? state.sort : DEFAULTS.sort;
  const showInactive = state.inactive === '1';

  const rows = useMemo(() => {
    const wanted = state.q.trim().toLowerCase();
    const isShown = (buyer: Buyer) => showInactive || isActiveBuyer(buyer) || isKept(buyer, kept);
    return buyers.filter((buyer) => isShown(buyer) && matches(buyer, wanted));
  }, [buyers, showInactive, kept, state.q]);

  if (buyers.length === 0)
    return (
      <EmptyState
        title="No buyers yet"
        hint="A buyer gets leads in proportion to its probability, as soon as it has an order."
        action={
          <Allowed to="createBuyer">
            <Button onClick={() => dialogs.open('add-buyer', {})}>Add Buyer</Button>
          </Allowed>
        }
      />
    );

  const inactiveCount = buyers.filter((buyer) => !isActiveBuyer(buyer)).length;
  return (
    <>
      <Group mb="sm" gap="sm">
        <SearchField
          label="Find a buyer or order"
          placeholder="Find a buyer or order ID…"
          value={state.q}
          search={(q) => change({ q })}
        />
        <FilterSwitch
          label={`Show inactive buyers (${inactiveCount})`}
          checked={showInactive}
          onChange={(event) => change({ inactive: event.currentTarget.checked ? '1' : '0' })}
        />
        {visibility.button}
        <ToolButton needs="changeWeights" icon={IconPercentage} onClick={() => dialogs.open('weights', {})}>
          Edit probabilities
        </ToolButton>
      </Group>
      <FilterChips
        mb="sm"
        filters={[{ name: 'Search', value: state.q.trim(), remove: () => change({ q: '' }) }]}
      />
      {visibility.panel}
      {rows.length === 0 ? (
        <EmptyState
          {...noRowsText(state.q.trim() !== '', showInactive, inactiveCount)}
          action={<ToolButton onClick={() => change({ q: '', inactive: '1' })}>Show all buyers</ToolButton>}
        />
      ) : (
        <DataTable
          label="Buyers and orders"
          columns={buyerColumns}
          hidden={visibility.hidden}
          rows={rows}
          rowKey={(buyer) => buyer.buyer_id}
          rowClass={(buyer) => (isActiveBuyer(buyer) ? undefined : classes.inactive)}
          dense
          cards
          sort={{ by, dir }}
          onSort={({ by, dir }) => change({ sort: by, dir })}
        />
      )}
    </>
  );
}

function noRowsText(isSearched: boolean, showInactive: boolean, inactiveCount: number) {
  if (!isSearched)
    return {
      title: 'No active buyers',
      hint: `A buyer is active while it has an order and is not paused. ${countOf(inactiveCount, 'inactive buyer is', 'inactive buyers are')} hidden.`,
    };
  return {
    title: 'No buyers found',
    hint: showInactive
      ? 'No buyer matches. Clear the search.'
      : 'No buyer matches. Clear the search or show inactive buyers.',
  };
}

function isKept({ buyer_id, deleted }: Buyer, kept: readonly string[]): boolean {
  return !deleted && kept.includes(buyer_id);
}

function matches(buyer: Buyer, wanted: string): boolean {
  // As the screens name an order: `order 4` or `4` by its ID, `#1` by its number.
  const [, hash, number] = /^(?:order |(#))?(\d+)$/.exec(wanted) ?? [];
  if (number === String(hash ? buyer.buyer_order_number : buyer.order_id)) return true;
  return [buyer.buyer_id, buyer.buyer_email, buyer.buyer_name].some((text) =>
    text.toLowerCase().includes(wanted),
  );
}

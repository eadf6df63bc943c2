import { Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconFilter, IconInbox } from '@tabler/icons-react';
import { Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { CLAIM_PAGE_SIZES, CLAIM_SORTS } from '#shared/rules/constants';
import { formatNumber } from '#shared/rules/formats';
import { lazyComponent } from '../../ui/lazy-component';
import { type ClaimQuery, useClaims, usePendingClaims, useSameCount } from '../data/claims';
import { useMay } from '../data/rights';
import { useColumnVisibility } from '../ui/column-visibility';
import { DataTable } from '../ui/DataTable';
import { FilterChips } from '../ui/FilterChips';
import { SelectField } from '../ui/FilterFields';
import { countOf } from '../ui/labels';
import { Paging } from '../ui/Paging';
import { EmptyState, ListSkeleton, QueryResult, ScreenSkeleton } from '../ui/states';
import { Tag } from '../ui/Tag';
import { ToolButton } from '../ui/ToolButton';
import { oneOf, useUrlState } from '../ui/url-state';
import { useKeys } from '../ui/use-keys';
import { claimColumns } from './claim-columns';
import { type ClaimFilterState, FILTER_DEFAULTS, STATUS_FILTERS } from './claim-filters';
import { PendingClaims } from './PendingClaims';

const DEFAULTS = {
  ...FILTER_DEFAULTS,
  page: '1',
  limit: '20',
  sort: 'created_at',
  dir: 'desc',
  filters: '0',
  pending: '1',
  view: '',
  claim: '',
};
const SIZES = CLAIM_PAGE_SIZES.map(String);

const ClaimFilters = lazyComponent(async () => (await import('./ClaimFilters')).ClaimFilters);
const ClaimsInbox = lazyComponent(async () => (await import('./ClaimsInbox')).ClaimsInbox);

export function ClaimsPage() {
  const [state, change] = useUrlState(DEFAULTS);
  const pending = usePendingClaims();
  const [remembered, remember] = useLocalStorage({
    key: 'claims-view',
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  const go = (view: string) => {
    remember(view);
    change({ view, claim: '' });
  };
  // Part of the URL from the first claim on: after the last decision the inbox stays, and says that it is empty.
  const choose = useCallback((claim: string) => change({ view: 'inbox', claim }), [change]);
  // A link to certain claims, such as those of a buyer, leads to the table.
  const isFiltered = Boolean(
    state.buyer || state.order || state.search || state.status.replace('pending', ''),
  );
  // It is for decisions.
  const hasInbox = useMay()('approveClaim');
  const isRemembered = remembered === 'inbox' && !isFiltered && pending.data?.length !== 0;
  if (!hasInbox || (state.view !== 'inbox' && !isRemembered))
    return (
      <AllClaims
        state={state}
        change={change}
        pending={pending}
        openInbox={hasInbox ? () => go('inbox') : undefined}
      />
    );
  return (
    <Suspense fallback={<ScreenSkeleton label="Loading claims..." />}>
      <ClaimsInbox query={pending} chosen={state.claim} choose={choose} leave={() => go('')} />
    </Suspense>
  );
}

interface Props {
  readonly state: typeof DEFAULTS;
  readonly change: (changed: Partial<typeof DEFAULTS>) => void;
  readonly pending: ReturnType<typeof usePendingClaims>;
  readonly openInbox: (() => void) | undefined;
}

function AllClaims({ state, change, pending, openInbox }: Props) {
  const [refreshing, setRefreshing] = useState(false);
  const visibility = useColumnVisibility('claims', claimColumns);

  const by = oneOf(state.sort, CLAIM_SORTS);
  const dir = oneOf(state.dir, ['desc', 'asc']);
  const limit = SIZES.includes(state.limit) ? state.limit : '20';
  const query = useMemo<ClaimQuery>(
    () => ({
      page: /^[1-9]\d{0,5}$/.test(state.page) ? state.page : '1',
      limit,
      sort_by: by,
      sort_dir: dir,
      ...(state.buyer && { buyer_id: state.buyer }),
      ...(state.order && { order_id: state.order }),
      ...(state.status && { claim_status: state.status }),
      ...(state.search && { search: state.search }),
    }),
    [state.page, state.buyer, state.order, state.status, state.search, limit, by, dir],
  );
  const claims = useClaims(query);

  // A decision may have emptied the page that is shown.
  const answer = claims.isPlaceholderData ? undefined : claims.data;
  const lastPage = Math.max(1, answer?.pagination.totalPages ?? Number(query.page));
  useEffect(() => {
    if (Number(query.page) > lastPage) change({ page: String(lastPage) });
  }, [query.page, lastPage, change]);

  useSameCount(pending.data?.length);
  const pendingCount = pending.data?.length ?? 0;
  const showPending = state.pending === '1';
  const showFilters = state.filters === '1';

  useKeys(openInbox ? { i: { act: openInbox } } : {});

  const applyFilters = (filters: Partial<ClaimFilterState>) => change({ ...filters, page: '1' });

  const refresh = async () => {
    setRefreshing(true);
    await Promise.all([pending.refetch(), claims.refetch()]);
    setRefreshing(false);
  };

  // Their height is unknown until they are loaded, and the list below would shift.
  if (showPending && pending.isPending && pending.failureCount === 0)
    return <ListSkeleton label="Loading claims..." cards />;
  return (
    <Stack gap="lg">
      {showPending && (
        <PendingClaims
          query={pending}
          refresh={() => void refresh()}
          refreshing={refreshing}
          hide={() => change({ pending: '0' })}
          openInbox={openInbox}
        />
      )}
      <section aria-labelledby="claims-title">
        <Group mb="sm" gap="sm">
          <VisuallyHidden component="h2" id="claims-title">
            All Claims
          </VisuallyHidden>
          <Button
            size="xs"
            variant={showFilters ? 'filled' : 'default'}
            leftSection={<IconFilter size={16} />}
            aria-expanded={showFilters}
            onClick={() => change({ filters: showFilters ? '0' : '1' })}
          >
            Filters
          </Button>
          {visibility.button}
          {!showPending && pendingCount > 0 && (
            <>
              <ToolButton
                rightSection={
                  <Tag tone="wait" solid>
                    {formatNumber(pendingCount)}
                  </Tag>
                }
                onClick={() => change({ pending: '1' })}
              >
                Show Pending
              </ToolButton>
              <ToolButton needs="approveClaim" icon={IconInbox} title="Open inbox (I)" onClick={openInbox}>
                Inbox
              </ToolButton>
            </>
          )}
        </Group>
        {visibility.panel}
        {showFilters && (
          <Suspense fallback={null}>
            <ClaimFilters
              key={`${state.buyer}|${state.order}|${state.status}|${state.search}`}
              applied={state}
              apply={applyFilters}
              reset={() => change({ ...FILTER_DEFAULTS, sort: 'created_at', dir: 'desc', page: '1' })}
            />
          </Suspense>
        )}
        <FilterChips
          mb="sm"
          filters={[
            { name: 'Buyer', value: state.buyer, remove: () => applyFilters({ buyer: '', order: '' }) },
            { name: 'Order ID', value: state.order, remove: () => applyFilters({ order: '' }) },
            {
              name: 'Status',
              value:
                STATUS_FILTERS.find(({ value }) => value && value === state.status)?.label ?? state.status,
              remove: () => applyFilters({ status: '' }),
            },
            { name: 'Search', value: state.search, remove: () => applyFilters({ search: '' }) },
          ]}
        />
        <QueryResult
          query={claims}
          what="The claims"
          skeleton={<ListSkeleton label="Loading claims..." cards />}
        >
          {({ claims: rows, pagination }) => (
            <Stack gap="sm">
              {pagination.notice !== undefined && (
                <Text c="dimmed" role="status">
                  {pagination.notice}
                </Text>
              )}
              {rows.length === 0 ? (
                <EmptyState title="No claims found" hint="Try adjusting your filters or adding new claims" />
              ) : (
                <DataTable
                  label="Claims"
                  columns={claimColumns}
                  hidden={visibility.hidden}
                  rows={rows}
                  rowKey={(claim) => claim.claim_id}
                  sort={{ by, dir }}
                  onSort={(sort) => change({ sort: sort.by, dir: sort.dir, page: '1' })}
                  dense
                  cards
                />
              )}
              <Group justify="space-between">
                <Group gap="sm">
                  <SelectField
                    hidesLabel
                    label="Claims per page"
                    value={limit}
                    options={SIZES.map((size) => [size, `${size} per page`])}
                    choose={(limit) => change({ limit, page: '1' })}
                  />
                  <Text c="dimmed">{countOf(pagination.total, 'claim')}</Text>
                </Group>
                <Paging
                  page={pagination.page}
                  pages={pagination.totalPages}
                  go={(page) => change({ page: String(page) })}
                />
              </Group>
            </Stack>
          )}
        </QueryResult>
      </section>
    </Stack>
  );
}

import { Group, Stack, Text } from '@mantine/core';
import { DELIVERY_STATUSES } from '#shared/rules/constants';
import { useDeliveries } from '../data/deliveries';
import { useApiMutation } from '../data/mutation';
import { BuyerFilter } from '../ui/BuyerFilter';
import { deliveryText } from '../ui/delivery-texts';
import { FilterChips } from '../ui/FilterChips';
import { SelectField } from '../ui/FilterFields';
import { LoadMoreButton } from '../ui/LoadMoreButton';
import { countOf } from '../ui/labels';
import { EmptyState, QueryResult } from '../ui/states';
import { ToolButton } from '../ui/ToolButton';
import { useUrlState } from '../ui/url-state';
import { DeliveryTable } from './DeliveryTable';

const DEFAULTS = { buyer: '', status: '' };
const STATUSES = ['failed', 'retrying', 'pending', 'delivered'] as const;

/** Failed and other deliveries with their errors, to be sent again. */
export function DeliveriesPage() {
  const [state, change] = useUrlState(DEFAULTS);
  const status = DELIVERY_STATUSES.find((known) => known === state.status);
  const deliveries = useDeliveries(state.buyer, status);
  const resendFailed = useApiMutation('resendFailedDeliveries');

  return (
    <Stack gap="sm">
      <Group align="flex-end" gap="sm">
        <BuyerFilter
          value={state.buyer}
          choose={(buyer) => change({ buyer })}
          describe={({ buyer_email }) => buyer_email}
        />
        <SelectField
          label="Status"
          value={status ?? ''}
          options={[
            ['', state.buyer === '' ? 'Failed and retrying' : 'All statuses'],
            ...STATUSES.map((value) => [value, deliveryText(value)] as const),
          ]}
          choose={(status) => change({ status })}
        />
        {state.buyer !== '' && (
          <ToolButton
            needs="resendFailedDeliveries"
            loading={resendFailed.isPending}
            onClick={() => resendFailed.mutate({ params: { buyerId: state.buyer } })}
          >
            Resend all failed
          </ToolButton>
        )}
      </Group>
      <FilterChips
        filters={[
          { name: 'Buyer', value: state.buyer, remove: () => change({ buyer: '' }) },
          { name: 'Status', value: status ? deliveryText(status) : '', remove: () => change({ status: '' }) },
        ]}
      />
      <QueryResult query={deliveries} what="The deliveries">
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.deliveries);
          const failed = pages[0]?.failed_count ?? 0;
          return (
            <>
              {state.buyer === '' && (
                <Text c="dimmed" role="status">
                  {failed === 0
                    ? 'No delivery has failed'
                    : countOf(failed, 'failed delivery', 'failed deliveries')}
                </Text>
              )}
              {rows.length === 0 ? (
                <EmptyState
                  title="No deliveries found"
                  hint={
                    state.buyer === ''
                      ? 'No delivery has failed or is being retried. Choose a buyer to see its deliveries.'
                      : `This buyer has no delivery${status === undefined ? ' yet' : ' with this status'}.`
                  }
                />
              ) : (
                <DeliveryTable deliveries={rows} />
              )}
              <LoadMoreButton query={deliveries} />
            </>
          );
        }}
      </QueryResult>
    </Stack>
  );
}

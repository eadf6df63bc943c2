import { Button, Group, NativeSelect, Paper, SimpleGrid, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { formatDate } from '#shared/rules/formats';
import { useBuyers } from '../data/buyers';
import { type Order, useOrders } from '../data/orders';
import { errorText } from '../notices';
import { FAILED } from '../texts';
import { type ClaimFilterState, FILTER_DEFAULTS } from './claim-filters';

interface Props {
  readonly applied: ClaimFilterState;
  readonly apply: (filters: ClaimFilterState) => void;
  readonly reset: () => void;
}

export function ClaimFilters({ applied, apply, reset }: Props) {
  const [filters, setFilters] = useState<ClaimFilterState>({
    buyer: applied.buyer,
    order: applied.order,
    status: applied.status,
    search: applied.search,
  });
  const buyers = useBuyers();
  const orders = useOrders();
  const shownOrders = (orders.data ?? []).filter(
    (order) => filters.buyer === '' || order.buyer_id === filters.buyer,
  );

  const submit = (event: FormEvent) => {
    event.preventDefault();
    apply({ ...filters, search: filters.search.trim() });
  };

  return (
    <Paper component="form" withBorder p="md" mb="sm" radius="md" onSubmit={submit}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
        <NativeSelect
          label="Buyer"
          value={filters.buyer}
          error={buyers.error ? errorText(buyers.error, FAILED.fetchBuyers) : undefined}
          data={[
            { value: '', label: 'All Buyers' },
            ...(buyers.data ?? []).map((buyer) => ({
              value: buyer.buyer_id,
              label: buyer.buyer_email,
            })),
          ]}
          onChange={(event) => setFilters({ ...filters, buyer: event.currentTarget.value, order: '' })}
        />
        <NativeSelect
          label="Order"
          value={filters.order}
          error={orders.error ? errorText(orders.error, FAILED.fetchOrders) : undefined}
          data={[
            { value: '', label: 'All Orders' },
            ...shownOrders.map((order) => ({ value: String(order.order_id), label: labelOf(order) })),
          ]}
          onChange={(event) => setFilters({ ...filters, order: event.currentTarget.value })}
        />
        <NativeSelect
          label="Status"
          value={filters.status}
          data={[
            { value: '', label: 'All Statuses' },
            { value: 'pending', label: 'Pending' },
            { value: 'approved', label: 'Approved' },
            { value: 'rejected', label: 'Rejected' },
            { value: 'pending,approved', label: 'Pending + Approved' },
          ]}
          onChange={(event) => setFilters({ ...filters, status: event.currentTarget.value })}
        />
        <TextInput
          label="Search"
          type="search"
          placeholder="Name, e-mail, phone, id"
          maxLength={100}
          value={filters.search}
          onChange={(event) => setFilters({ ...filters, search: event.currentTarget.value })}
        />
      </SimpleGrid>
      <Group justify="flex-end" mt="md">
        <Button
          variant="default"
          onClick={() => {
            setFilters(FILTER_DEFAULTS);
            reset();
          }}
        >
          Reset
        </Button>
        <Button type="submit">Apply</Button>
      </Group>
    </Paper>
  );
}

/** `#2 - buyer-1 - 14.05.2025` */
function labelOf(order: Order): string {
  const created = new Date(order.order_created_at);
  const date = Number.isNaN(created.getTime()) ? 'N/A' : formatDate(created);
  return `#${order.buyer_order_number || order.order_id} - ${order.buyer_id} - ${date}`;
}

import { Button, Group, NativeSelect, Paper, SimpleGrid, TextInput } from '@mantine/core';
import { type FormEvent, memo, useCallback, useState } from 'react';
import { formatDate } from '#shared/rules/formats';
import { orderNumberText } from '#shared/rules/order-texts';
import { useBuyers } from '../data/buyers';
import { CALLS } from '../data/calls';
import { type Order, useOrders } from '../data/orders';
import { errorText } from '../notifications';
import { TROUBLE } from '../texts';
import { type ClaimFilterState, FILTER_DEFAULTS, STATUS_FILTERS } from './claim-filters';

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
  const choose = useCallback(
    (chosen: Partial<ClaimFilterState>) => setFilters((before) => ({ ...before, ...chosen })),
    [],
  );

  const submit = (event: FormEvent) => {
    event.preventDefault();
    apply({ ...filters, search: filters.search.trim() });
  };

  return (
    <Paper component="form" withBorder p="md" mb="sm" onSubmit={submit}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
        <BuyerSelect value={filters.buyer} choose={choose} />
        <OrderSelect value={filters.order} buyer={filters.buyer} choose={choose} />
        <NativeSelect
          label="Status"
          value={filters.status}
          data={[...STATUS_FILTERS]}
          onChange={(event) => choose({ status: event.currentTarget.value })}
        />
        <TextInput
          label="Search"
          type="search"
          placeholder="Name, e-mail, phone, id"
          maxLength={100}
          value={filters.search}
          onChange={(event) => choose({ search: event.currentTarget.value })}
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

interface SelectProps {
  readonly value: string;
  readonly choose: (chosen: Partial<ClaimFilterState>) => void;
}

// Memoised: typing in the search field must not render thousands of options.
const BuyerSelect = memo(function BuyerSelect({ value, choose }: SelectProps) {
  const buyers = useBuyers();
  return (
    <NativeSelect
      label="Buyer"
      value={value}
      error={buyers.error ? errorText(buyers.error, TROUBLE.fetchBuyers) : undefined}
      data={[
        { value: '', label: 'All Buyers' },
        ...(buyers.data ?? []).map((buyer) => ({ value: buyer.buyer_id, label: buyer.buyer_email })),
      ]}
      onChange={(event) => choose({ buyer: event.currentTarget.value, order: '' })}
    />
  );
});

const OrderSelect = memo(function OrderSelect({ value, buyer, choose }: SelectProps & { buyer: string }) {
  const orders = useOrders();
  const shown = (orders.data ?? []).filter((order) => buyer === '' || order.buyer_id === buyer);
  return (
    <NativeSelect
      label="Order"
      value={value}
      error={orders.error ? errorText(orders.error, CALLS.listOrders[0]) : undefined}
      data={[
        { value: '', label: 'All Orders' },
        ...shown.map((order) => ({ value: String(order.order_id), label: labelOf(order) })),
      ]}
      onChange={(event) => choose({ order: event.currentTarget.value })}
    />
  );
});

/** `#2 - buyer-1 - 14.05.2025` */
function labelOf(order: Order): string {
  const created = new Date(order.order_created_at);
  const date = Number.isNaN(created.getTime()) ? 'N/A' : formatDate(created);
  return `${orderNumberText(order.buyer_order_number || order.order_id)} - ${order.buyer_id} - ${date}`;
}

/** Faults of buyers and their orders. */
import type { PastFault } from '#test/simulation/past-faults/past-fault';

export const ORDER_FAULTS: readonly PastFault[] = [
  {
    name: 'a buyer is found by its former id',
    replacements: [
      {
        file: 'functions/data/buyers/buyer-store.ts',
        from: 'return buyer?.buyer_id === buyerId ? buyer : undefined;',
        to: 'return buyer;',
      },
    ],
  },
  {
    name: 'the renewal looks only at the order that is open',
    replacements: [
      {
        file: 'functions/domain/orders/renewal.ts',
        from: 'if (current.renewed_as === undefined) return current;',
        to: 'return current;',
      },
    ],
  },
  {
    name: 'an order is followed whatever is wanted by now',
    replacements: [
      {
        file: 'functions/data/orders/order-store.ts',
        from: `const renewal = renewalAs(seen);
  const { condition, values, ...names } = reorderAs(seen);
  return orderUpdate`,
        to: `const renewal = { condition: 'deleted_at = :null', values: {} };
  const { condition, values, ...names } = { condition: 'deleted_at = :null', values: {} };
  return orderUpdate`,
      },
    ],
  },
];

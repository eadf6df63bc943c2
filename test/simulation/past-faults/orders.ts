/** Faults of buyers and their orders. */
import { type Faults, swap } from '#test/simulation/bundle';

export const ORDER_FAULTS: Faults = {
  'a buyer is found by its former id': swap(
    'functions/data/buyers/buyer-store.ts',
    'buyer?.buyer_id === buyerId ? buyer : undefined',
    'buyer',
  ),
  'the renewal checks only the open order': swap(
    'functions/domain/orders/renewal.ts',
    'if (current.renewed_as === undefined) return',
    'return',
  ),
  'an order gets a successor although its renewal changed': swap(
    'functions/data/orders/order-store.ts',
    `const renewal = renewalAs(expected);
  const { condition, values, ...names } = reorderAs(expected);
  return orderUpdate`,
    `const renewal = { condition: 'deleted_at = :null', values: {} };
  const { condition, values, ...names } = { condition: 'deleted_at = :null', values: {} };
  return orderUpdate`,
  ),
};

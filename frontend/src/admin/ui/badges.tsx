import { Badge } from '@mantine/core';
import type { ClaimStatus, DeliveryStatus, OrderStatus } from '#shared/contract/constants';

const CLAIM = {
  pending: { color: 'yellow.4', text: 'Pending' },
  approved: { color: 'teal.9', text: 'Approved' },
  rejected: { color: 'red.9', text: 'Rejected' },
} as const satisfies Record<ClaimStatus, { color: string; text: string }>;

export function ClaimBadge({ status }: { status: string }) {
  const known = Object.entries(CLAIM).find(([name]) => name === status)?.[1];
  return <Badge color={known?.color ?? 'gray.7'}>{known?.text ?? 'Unknown'}</Badge>;
}

const ORDER = {
  Active: 'teal.9',
  Completed: 'blue.8',
  Deleted: 'red.9',
  Inactive: 'gray.7',
} as const satisfies Record<OrderStatus, string>;

/** Anything that is no known status counts as Inactive. */
export function OrderBadge({ status }: { status: string }) {
  const known = Object.entries(ORDER).find(([name]) => name === status);
  return <Badge color={known?.[1] ?? ORDER.Inactive}>{known?.[0] ?? 'Inactive'}</Badge>;
}

const DELIVERY = {
  pending: { color: 'gray.7', text: 'Waiting' },
  retrying: { color: 'yellow.4', text: 'Retrying' },
  delivered: { color: 'teal.9', text: 'Delivered' },
  failed: { color: 'red.9', text: 'Failed' },
} as const satisfies Record<DeliveryStatus, { color: string; text: string }>;

export function DeliveryBadge({ status }: { status: DeliveryStatus }) {
  return <Badge color={DELIVERY[status].color}>{DELIVERY[status].text}</Badge>;
}

export function deliveryText(status: DeliveryStatus): string {
  return DELIVERY[status].text;
}

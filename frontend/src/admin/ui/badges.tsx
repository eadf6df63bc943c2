import type { ClaimStatus, DeliveryStatus, OrderStatus } from '#shared/rules/constants';
import { DELIVERY } from './delivery-texts';
import { Tag, type Tone } from './Tag';

const CLAIM = {
  pending: { tone: 'wait', text: 'Pending' },
  approved: { tone: 'good', text: 'Approved' },
  rejected: { tone: 'bad', text: 'Rejected' },
} as const satisfies Record<ClaimStatus, { tone: Tone; text: string }>;

export function ClaimBadge({ status }: { status: string }) {
  const known = Object.entries(CLAIM).find(([name]) => name === status)?.[1];
  return <Tag tone={known?.tone ?? 'neutral'}>{known?.text ?? 'Unknown'}</Tag>;
}

const ORDER = {
  Active: 'good',
  Completed: 'info',
  Deleted: 'bad',
  Inactive: 'neutral',
} as const satisfies Record<OrderStatus, Tone>;

/** Unknown statuses count as Inactive. */
export function OrderBadge({ status }: { status: string }) {
  const known = Object.entries(ORDER).find(([name]) => name === status);
  return <Tag tone={known?.[1] ?? ORDER.Inactive}>{known?.[0] ?? 'Inactive'}</Tag>;
}

export function DeliveryBadge({ status }: { status: DeliveryStatus }) {
  return <Tag tone={DELIVERY[status].tone}>{DELIVERY[status].text}</Tag>;
}

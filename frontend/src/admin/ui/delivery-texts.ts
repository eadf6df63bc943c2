import type { DeliveryStatus } from '#shared/rules/constants';

export const DELIVERY = {
  pending: { tone: 'neutral', text: 'Waiting' },
  retrying: { tone: 'wait', text: 'Retrying' },
  delivered: { tone: 'good', text: 'Delivered' },
  failed: { tone: 'bad', text: 'Failed' },
} as const satisfies Record<DeliveryStatus, object>;

export function deliveryText(status: DeliveryStatus): string {
  return DELIVERY[status].text;
}

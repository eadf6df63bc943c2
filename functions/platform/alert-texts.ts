/** Without personal data. */
import type { AlertTexts } from '#functions/domain/alerts/alerts';
import type { Found } from '#functions/domain/alerts/conditions';
import { formatDate, formatEuro, formatNumber } from '#shared/rules/formats';
import { orderText } from '#shared/rules/order-texts';
import { formatDay } from '#shared/rules/working-days';

const count = (number: number, one: string) => `${formatNumber(number)} ${one}${number === 1 ? '' : 's'}`;

export function alertLine(found: Found): string {
  switch (found.kind) {
    case 'order_nearly_full':
    case 'order_full': {
      const { order, buyerId, kind } = found;
      const state = kind === 'order_full' ? 'full' : 'nearly full';
      return `${orderText({ ...order, buyer_id: buyerId })} is ${state}: ${order.leads_received} of ${order.lead_limit} leads.`;
    }
    case 'buyer_without_leads':
      return `${found.buyerId} is active and has received no lead for ${count(found.days, 'day')}.`;
    case 'leads_waiting':
      return `${found.more ? 'More than ' : ''}${count(found.count, 'lead')} pending for more than ${count(found.hours, 'hour')}, the oldest since ${formatDate(new Date(found.oldest))}.`;
    case 'claims_waiting':
      return `${count(found.open, 'claim')} ${found.open === 1 ? 'is' : 'are'} open, the oldest since ${formatDay(found.oldest)}: ${count(found.days, 'working day')}.`;
    case 'replacements_owed':
      return `${found.buyerId} is owed ${count(found.owed, 'replacement')}, the oldest since ${formatDate(new Date(found.since))}.`;
    case 'source_silent':
      return `Source ${found.name} stopped sending: no lead since ${formatDay(found.since.day)}, ${found.since.hour}:00 to ${found.since.hour + 1}:00; usually ${formatNumber(found.usual)} arrive.`;
    default:
      return found satisfies never;
  }
}

export const ALERT_TEXTS: AlertTexts = {
  found(found) {
    const lines = found.map(alertLine);
    const [only = ''] = lines;
    return { title: lines.length === 1 ? only : count(lines.length, 'alert'), lines };
  },

  summary({
    day,
    leads,
    replacements,
    buyers,
    revenue,
    pendingLeads,
    openClaims,
    failedDeliveries,
    nearlyFull,
  }) {
    return {
      title: `${formatDay(day)}: ${count(leads, 'lead')}, ${formatEuro(revenue / 100)}`,
      lines: [
        `Delivered on ${formatDay(day)}: ${count(leads, 'lead')}${replacements === 0 ? '' : `, of which ${count(replacements, 'replacement')}`}. Revenue: ${formatEuro(revenue / 100)}.`,
        ...buyers.map((buyer) => `${buyer.buyerId}: ${count(buyer.leads, 'lead')}`),
        `Pending now: ${count(pendingLeads, 'lead')}. Open claims: ${formatNumber(openClaims)}. Failed deliveries: ${formatNumber(failedDeliveries)}.`,
        ...nearlyFull.map(
          ({ buyerId, received, limit }) =>
            `Nearly full: the order of ${buyerId}, ${formatNumber(received)} of ${formatNumber(limit)} leads.`,
        ),
      ],
    };
  },
};

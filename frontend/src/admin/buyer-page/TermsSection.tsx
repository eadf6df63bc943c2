import { Group, Paper, Title } from '@mantine/core';
import { formatDate, formatEuro } from '#shared/rules/formats';
import { valuesOf } from '../buyers/buyer-values';
import { linksText, notificationsText, suitableText } from '../buyers/group-summaries';
import { hoursText } from '../buyers/hours';
import type { Buyer } from '../data/buyers';
import { useSourceNames } from '../data/sources';
import { capsText, capValuesOf } from '../orders/caps';
import { type DescriptionItem, DescriptionList } from '../ui/DescriptionList';
import { countOf } from '../ui/labels';
import { TextLink } from '../ui/TextLink';

/** What the buyer was promised, in words. */
export function TermsSection({ buyer }: { readonly buyer: Buyer }) {
  return (
    <Paper component="section" withBorder p="lg" aria-labelledby="terms">
      <Group justify="space-between" gap="sm" mb="sm">
        <Title order={3} size="h4" id="terms">
          Terms
        </Title>
        <TextLink to={`/dashboard/claimed-leads?${new URLSearchParams({ buyer: buyer.buyer_id })}`}>
          Claims of this buyer
        </TextLink>
      </Group>
      <DescriptionList facts={termsOf(buyer, useSourceNames())} />
    </Paper>
  );
}

const LATE = {
  none: 'shown as overdue',
  approve: 'approved',
  reject: 'rejected',
} as const satisfies Record<Buyer['default_decision'], string>;

function termsOf(buyer: Buyer, names: ReadonlyMap<number, string>): DescriptionItem[] {
  const { decision_days: deadline, claim_quota_percent: quota, price_per_lead: price, ends_on } = buyer;
  const values = valuesOf(buyer);
  const caps = { ...capValuesOf(buyer), ends_on: ends_on === null ? '' : formatDate(new Date(ends_on)) };
  return [
    ['Price per lead', price === null ? 'No price' : formatEuro(price)],
    ['Which leads', suitableText(values, names)],
    ['Hours', hoursText(buyer.schedule)],
    ['Caps', capsText(caps)],
    [
      'Refused leads',
      buyer.on_refusal === 'keep' ? 'Stay with the buyer' : 'Are reassigned to the next buyer',
    ],
    ['Claims', `Within ${countOf(buyer.max_claim_days, 'working day')} after delivery`],
    ['“Not reachable”', `From working day ${buyer.min_days_for_ne} after delivery`],
    [
      'Decision',
      deadline === null
        ? 'No deadline'
        : `Within ${countOf(deadline, 'working day')}, otherwise ${LATE[buyer.default_decision]}`,
    ],
    ['Clear claims', buyer.auto_decide_claims ? 'Decided automatically' : 'Decided by an admin'],
    ['Claim quota', quota === null ? 'Any number of claims' : `At most ${quota}% of an order’s leads`],
    [
      'Approved claims',
      buyer.buyer_type === 'prepay' ? 'Replaced by other leads (prepay)' : 'Not replaced (postpay)',
    ],
    ['Links', linksText(values)],
    ['E-mail notifications', notificationsText(values)],
  ];
}

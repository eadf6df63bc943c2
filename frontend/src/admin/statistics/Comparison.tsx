import { Skeleton, Text } from '@mantine/core';
import { formatEuro, formatNumber } from '#shared/rules/formats';
import type { RangeTotals } from '../data/insights';
import { dayText, percentOf, signed } from '../ui/labels';
import { StatCard } from '../ui/StatCard';
import classes from '../ui/StatCard.module.css';

/** Totals of the chosen period and of the equally long period before it. */
export function Comparison({ now, before }: { readonly now: RangeTotals; readonly before: RangeTotals }) {
  return (
    <section aria-label="Compared with the days before">
      <Text c="dimmed" mb="xs">
        {daysOf(now)}, compared with {daysOf(before)}
      </Text>
      <div className={classes.cards}>
        <Compared title="Delivered" now={now.leads_received} before={before.leads_received} />
        <Compared title="Original" now={now.original_leads} before={before.original_leads} />
        <Compared title="Reimbursement" now={now.reimbursement_leads} before={before.reimbursement_leads} />
        <Compared title="Claims filed" now={now.claims} before={before.claims} />
        <Compared
          title="Revenue in this period"
          now={now.revenue}
          before={before.revenue}
          text={formatEuro}
          wide
        />
      </div>
    </section>
  );
}

/** A placeholder while the figures are loading. */
export function ComparisonSkeleton() {
  return (
    <div aria-hidden="true">
      <Skeleton mb="xs">
        <Text>{`${A_DAY} – ${A_DAY}, compared with ${A_DAY} – ${A_DAY}`}</Text>
      </Skeleton>
      <div className={classes.cards}>
        {COUNTED.map((title) => (
          <StatCard key={title} title={title} value="–" loading>
            <Text>–</Text>
          </StatCard>
        ))}
      </div>
    </div>
  );
}

const A_DAY = '00.00.0000';
const COUNTED = ['Delivered', 'Original', 'Reimbursement', 'Claims filed', 'Revenue in this period'] as const;

interface ComparedProps {
  readonly title: string;
  readonly now: number;
  readonly before: number;
  readonly text?: (figure: number) => string;
  readonly wide?: boolean;
}

function Compared({ title, now, before, text = formatNumber, wide = false }: ComparedProps) {
  const change = before === 0 ? '' : ` (${signed(percentOf(now - before, before))}%)`;
  return (
    <StatCard title={title} value={text(now)} wide={wide}>
      <Text c="dimmed">
        before: {text(before)}
        {change}
      </Text>
    </StatCard>
  );
}

const daysOf = ({ from, to }: RangeTotals) => `${dayText(from)} – ${dayText(to)}`;

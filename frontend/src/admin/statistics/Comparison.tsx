import { Skeleton, Text, VisuallyHidden } from '@mantine/core';
import { formatEuro, formatNumber } from '#shared/rules/formats';
import { daysBetween } from '#shared/rules/working-days';
import type { RangeTotals } from '../data/insights';
import { countOf, dayText } from '../ui/labels';
import { StatCard } from '../ui/StatCard';
import classes from '../ui/StatCard.module.css';
import { changeOf } from './change';

/** Totals of the chosen period, and their change against the equally long period before it. */
export function Comparison({ now, before }: { readonly now: RangeTotals; readonly before: RangeTotals }) {
  return (
    <section aria-label="Compared with the days before">
      <Text c="dimmed" mb="xs">
        {daysOf(now)}, compared with {daysOf(before)}
      </Text>
      <div className={classes.cards}>
        {FIGURES.map(({ key, title, text }) => (
          <StatCard key={key} title={title} value={text(now[key])} wide={key === 'revenue'}>
            <Change now={now[key]} before={before[key]} days={daysBetween(now.from, now.to) + 1} />
          </StatCard>
        ))}
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
        {FIGURES.map(({ title }) => (
          <StatCard key={title} title={title} value="–" loading>
            <Text>–</Text>
          </StatCard>
        ))}
      </div>
    </div>
  );
}

const A_DAY = '00.00.0000';
const FIGURES = [
  { key: 'leads_received', title: 'Delivered', text: formatNumber },
  { key: 'original_leads', title: 'Original', text: formatNumber },
  { key: 'reimbursement_leads', title: 'Reimbursement', text: formatNumber },
  { key: 'claims', title: 'Claims filed', text: formatNumber },
  { key: 'revenue', title: 'Revenue in this period', text: formatEuro },
] as const;

interface ChangeProps {
  readonly now: number;
  readonly before: number;
  readonly days: number;
}

/** An arrow with the percentage, and the same in words. */
function Change({ now, before, days }: ChangeProps) {
  const { arrow, sign, words } = changeOf(now, before);
  return (
    <Text c="dimmed">
      <span aria-hidden="true">
        {arrow} {sign}
      </span>
      <VisuallyHidden>{`${words} against the ${countOf(days, 'day')} before`}</VisuallyHidden>
    </Text>
  );
}

const daysOf = ({ from, to }: RangeTotals) => `${dayText(from)} – ${dayText(to)}`;

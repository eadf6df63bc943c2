import { Skeleton, Text, VisuallyHidden } from '@mantine/core';
import { formatEuro } from '#shared/rules/formats';
import { daysBetween } from '#shared/rules/working-days';
import type { RangeTotals } from '../data/insights';
import { LeadsFigure } from '../leads/LeadsFigure';
import { countOf, dayText } from '../ui/labels';
import { StatCard } from '../ui/StatCard';
import classes from '../ui/StatCard.module.css';
import { changeOf } from './change';

interface Props {
  readonly now: RangeTotals;
  readonly before: RangeTotals;
  /** The ID of the only buyer; empty for all. */
  readonly buyer: string;
}

/** Totals of the chosen period, and their change against the equally long period before it. */
export function Comparison({ now, before, buyer }: Props) {
  const days = { buyer_id: buyer, from: now.from, to: now.to };
  return (
    <section aria-label="Compared with the days before">
      <Text c="dimmed" mb="xs">
        {daysOf(now)}, compared with {daysOf(before)}
      </Text>
      <div className={classes.cards}>
        {FIGURES.map(({ key, title, filter }) => (
          <StatCard
            key={key}
            title={title}
            value={
              filter === undefined ? (
                formatEuro(now[key])
              ) : (
                <LeadsFigure figure={now[key]} filter={{ ...days, ...filter }} />
              )
            }
            wide={key === 'revenue'}
          >
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
  { key: 'leads_received', title: 'Delivered', filter: { by: 'assigned' } },
  { key: 'original_leads', title: 'Original', filter: { by: 'assigned', lead_type: 'original' } },
  {
    key: 'reimbursement_leads',
    title: 'Reimbursement',
    filter: { by: 'assigned', lead_type: 'reimbursement' },
  },
  { key: 'claims', title: 'Claims filed', filter: { by: 'claimed' } },
  { key: 'revenue', title: 'Revenue in this period', filter: undefined },
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

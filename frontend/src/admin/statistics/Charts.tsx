import { Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumber } from '#shared/rules/formats';
import type { BuyerStats, DayOfStats } from '../data/insights';
import { countOf } from '../ui/labels';
import { Bars } from './Bars';
import classes from './Charts.module.css';
import { Doughnut } from './Doughnut';
import { LineChart } from './LineChart';
import type { Series } from './series';

interface Props {
  readonly days: readonly DayOfStats[];
  readonly buyers: readonly BuyerStats[];
  /** Whether to compare the buyers with each other. */
  readonly compare: boolean;
}

/** The same colour for the same thing, here and in the tags of the tables. */
const TOTAL = 'var(--tone-total-fill)';
const ORIGINAL = 'var(--tone-info-fill)';
const REPLACEMENT = 'var(--tone-special-fill)';

/** The line, doughnut and bar chart. Each has its numbers in words for those who cannot see it. */
export function Charts({ days, buyers, compare }: Props) {
  const claims = [
    { name: 'Approved', value: sum(buyers, 'approved_claims'), color: 'var(--tone-good-fill)' },
    { name: 'Rejected', value: sum(buyers, 'rejected_claims'), color: 'var(--tone-bad-fill)' },
    { name: 'Pending', value: sum(buyers, 'pending_claims'), color: 'var(--tone-wait-fill)' },
  ];
  const claimCount = claims.reduce((total, { value }) => total + value, 0);
  const leads = days.reduce((total, day) => total + day.leads_received, 0);
  const compared = buyers
    .toSorted((a, b) => b.total_leads_received - a.total_leads_received)
    .slice(0, MAX_BARS);

  // Of lines that coincide each is seen: the total is broad and pale below the others, and those are dashed differently.
  const lines = [
    { name: 'Total', color: TOTAL, width: 7, opacity: 0.35, values: days.map((day) => day.leads_received) },
    { name: 'Original', color: ORIGINAL, width: 2, values: days.map((day) => day.original_leads) },
    {
      name: 'Reimbursement',
      color: REPLACEMENT,
      width: 2.5,
      dash: '2 5',
      values: days.map((day) => day.reimbursement_leads),
    },
  ];
  const bars = [
    { name: 'Total leads received', color: TOTAL },
    { name: 'Total reimbursements', color: REPLACEMENT },
  ] as const;

  return (
    <div className={classes.charts}>
      <Chart
        wide
        title="Lead Volume Over Time"
        summary={`${countOf(leads, 'lead')} in ${days.length} days`}
        legend={lines}
      >
        <LineChart days={days.map(({ date }) => date)} lines={lines} />
      </Chart>
      <Chart
        wide={!compare}
        title="Claims Distribution"
        summary={claims.map(({ name, value }) => `${name}: ${formatNumber(value)}`).join(', ')}
        legend={claims}
        empty={claimCount === 0 ? 'No claims yet' : undefined}
      >
        <Doughnut parts={claims} label={claimCount === 1 ? 'claim' : 'claims'} />
      </Chart>
      {compare && (
        <Chart
          title="Buyer Comparison"
          summary={`Leads and reimbursements of ${countOf(compared.length, 'buyer')}${
            buyers.length > MAX_BARS ? ', those with the most leads' : ''
          }`}
          legend={bars}
        >
          <Bars
            series={bars}
            rows={compared.map((buyer) => ({
              name: buyer.buyer_id,
              values: [buyer.total_leads_received, buyer.reimbursement_leads_received],
            }))}
          />
        </Chart>
      )}
    </div>
  );
}

/** More bars than this cannot be told apart. */
const MAX_BARS = 20;

interface ChartProps {
  readonly title: string;
  readonly summary: string;
  readonly legend: readonly Series[];
  readonly wide?: boolean;
  readonly empty?: string | undefined;
  readonly children: ReactNode;
}

function Chart({ title, summary, legend, wide = false, empty, children }: ChartProps) {
  return (
    <Paper
      component="figure"
      withBorder
      radius="md"
      p="md"
      m={0}
      className={wide ? classes.wide : undefined}
      aria-label={`${title}. ${summary}`}
    >
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      {empty === undefined ? (
        <div aria-hidden="true">
          {children}
          <div className={classes.legend}>
            {legend.map(({ name, color }) => (
              <span key={name} className={classes.entry}>
                <span className={classes.swatch} style={{ background: color }} />
                {name}
              </span>
            ))}
          </div>
        </div>
      ) : (
        <p className={classes.empty}>{empty}</p>
      )}
      <figcaption className={classes.summary}>{summary}</figcaption>
    </Paper>
  );
}

function sum(
  buyers: readonly BuyerStats[],
  field: 'approved_claims' | 'rejected_claims' | 'pending_claims',
): number {
  return buyers.reduce((total, buyer) => total + buyer[field], 0);
}

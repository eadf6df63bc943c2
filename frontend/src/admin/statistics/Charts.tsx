import { Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumber } from '#shared/rules/formats';
import type { BuyerStats, DayOfStats } from '../data/insights';
import { countOf } from '../ui/labels';
import classes from './Charts.module.css';
import { Doughnut } from './Doughnut';
import { LeadLines, LINES } from './LeadLines';
import { niceTicks } from './ticks';

interface Props {
  readonly days: readonly DayOfStats[];
  readonly buyers: readonly BuyerStats[];
  /** Whether to compare the buyers with each other. */
  readonly compare: boolean;
}

/** More bars than this cannot be distinguished. */
const MAX_BARS = 20;

/** The line, doughnut and bar chart. Each also has its numbers in words, for screen readers. */
export function Charts({ days, buyers, compare }: Props) {
  const claims = [
    { name: 'Approved', value: sum(buyers, 'approved_claims'), fill: 'var(--tone-good-fill)' },
    { name: 'Rejected', value: sum(buyers, 'rejected_claims'), fill: 'var(--tone-bad-fill)' },
    { name: 'Pending', value: sum(buyers, 'pending_claims'), fill: 'var(--tone-wait-fill)' },
  ];
  const leads = days.reduce((total, day) => total + day.leads_received, 0);
  const compared = buyers
    .toSorted((a, b) => b.total_leads_received - a.total_leads_received)
    .slice(0, MAX_BARS);
  return (
    <div className={classes.charts}>
      <Chart
        wide
        title="Lead Volume Over Time"
        summary={`${countOf(leads, 'lead')} in ${days.length} days`}
        legend={LINES}
      >
        <LeadLines days={days} />
      </Chart>
      <Chart
        wide={!compare}
        title="Claims Distribution"
        since
        summary={claims.map(({ name, value }) => `${name}: ${formatNumber(value)}`).join(', ')}
        legend={claims.map(({ name, value, fill }) => ({ name: `${name} ${formatNumber(value)}`, fill }))}
      >
        {claims.some(({ value }) => value > 0) ? (
          <Doughnut parts={claims} />
        ) : (
          <p className={classes.empty}>No claims yet</p>
        )}
      </Chart>
      {compare && (
        <Chart
          title="Buyer Comparison"
          since
          summary={`Leads and reimbursements of ${countOf(compared.length, 'buyer')}${
            buyers.length > MAX_BARS ? ', those with the most leads' : ''
          }`}
          legend={BARS}
        >
          <Bars buyers={compared} />
        </Chart>
      )}
    </div>
  );
}

const BARS = [
  { name: 'Total leads received', key: 'total_leads_received', fill: 'var(--tone-total-fill)' },
  { name: 'Total reimbursements', key: 'reimbursement_leads_received', fill: 'var(--tone-special-fill)' },
] as const;

function Bars({ buyers }: { readonly buyers: readonly BuyerStats[] }) {
  const ticks = niceTicks(Math.max(...buyers.map((buyer) => buyer.total_leads_received)));
  const width = (value: number) => `${(100 * value) / (ticks.at(-1) ?? 1)}%`;
  return (
    <div className={classes.bars}>
      {buyers.map((buyer) => (
        <div key={buyer.buyer_id} className={classes.bar} title={buyer.buyer_id}>
          <span>{buyer.buyer_id}</span>
          <div>
            {BARS.map(({ key, fill }) => (
              <div key={key} style={{ width: width(buyer[key]), background: fill }} />
            ))}
          </div>
        </div>
      ))}
      <div className={classes.bar}>
        <span />
        <div className={classes.scale}>
          {ticks.map((tick) => (
            <span key={tick} style={{ left: width(tick) }}>
              {formatNumber(tick)}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}

interface ChartProps {
  readonly title: string;
  /** Whether it counts from the first order on, not only in the period. */
  readonly since?: boolean;
  readonly summary: string;
  readonly legend: readonly { readonly name: string; readonly fill: string }[];
  readonly wide?: boolean;
  readonly children: ReactNode;
}

function Chart({ title, since = false, summary, legend, wide = false, children }: ChartProps) {
  return (
    <Paper
      component="figure"
      withBorder
      p="md"
      m={0}
      className={wide ? classes.wide : undefined}
      aria-label={`${title}. ${summary}`}
    >
      <Title order={2} size="h4" mb="sm">
        {title}
        {since && <small className={classes.since}>since the first order</small>}
      </Title>
      <div aria-hidden="true">
        {children}
        <div className={classes.legend}>
          {legend.map(({ name, fill }) => (
            <span key={name}>
              <span className={classes.swatch} style={{ background: fill }} />
              {name}
            </span>
          ))}
        </div>
      </div>
    </Paper>
  );
}

function sum(
  buyers: readonly BuyerStats[],
  field: 'approved_claims' | 'rejected_claims' | 'pending_claims',
): number {
  return buyers.reduce((total, buyer) => total + buyer[field], 0);
}

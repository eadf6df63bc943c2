import { Paper, Title, useComputedColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import {
  Bar,
  BarChart,
  CartesianGrid,
  Line,
  LineChart,
  Pie,
  PieChart,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { formatNumber } from '#shared/rules/formats';
import type { BuyerStats, DayOfStats } from '../data/insights';
import { countOf, dayText } from '../ui/labels';
import classes from './Charts.module.css';

interface Props {
  readonly days: readonly DayOfStats[];
  readonly buyers: readonly BuyerStats[];
  /** Whether to compare the buyers with each other. */
  readonly compare: boolean;
}

interface Colors {
  readonly total: string;
  readonly original: string;
  readonly replacement: string;
  readonly approved: string;
  readonly rejected: string;
  readonly pending: string;
  readonly text: string;
  readonly grid: string;
  readonly body: string;
}

const LIGHT: Colors = {
  total: '#1864ab',
  original: '#087f5b',
  replacement: '#d9480f',
  approved: '#087f5b',
  rejected: '#c92a2a',
  pending: '#f08c00',
  text: '#495057',
  grid: '#dee2e6',
  body: '#ffffff',
};
const DARK: Colors = {
  total: '#74c0fc',
  original: '#63e6be',
  replacement: '#ffa94d',
  approved: '#63e6be',
  rejected: '#ff8787',
  pending: '#ffd43b',
  text: '#c9c9c9',
  grid: '#424242',
  body: '#2e2e2e',
};

/** The line, doughnut and bar chart. Each has its numbers in words for those who cannot see it. */
export function Charts({ days, buyers, compare }: Props) {
  const colors = useComputedColorScheme() === 'dark' ? DARK : LIGHT;
  const axis = { stroke: colors.text, tick: { fill: colors.text, fontSize: 12 } };
  const tooltip = {
    contentStyle: { background: colors.body, border: `1px solid ${colors.grid}`, borderRadius: 8 },
    cursor: { fill: colors.grid, fillOpacity: 0.4 },
  };
  const claims = [
    { name: 'Approved', value: sum(buyers, 'approved_claims'), fill: colors.approved },
    { name: 'Rejected', value: sum(buyers, 'rejected_claims'), fill: colors.rejected },
    { name: 'Pending', value: sum(buyers, 'pending_claims'), fill: colors.pending },
  ];
  const claimCount = claims.reduce((total, { value }) => total + value, 0);
  const leads = days.reduce((total, day) => total + day.leads_received, 0);
  const compared = buyers
    .toSorted((a, b) => b.total_leads_received - a.total_leads_received)
    .slice(0, MAX_BARS);

  // Of lines that coincide each is seen: the total is broad and pale below the others, and those are dashed differently.
  const lines = [
    { name: 'Total', dataKey: 'leads_received', fill: colors.total, strokeWidth: 7, strokeOpacity: 0.35 },
    { name: 'Original', dataKey: 'original_leads', fill: colors.original, strokeWidth: 2 },
    {
      name: 'Reimbursement',
      dataKey: 'reimbursement_leads',
      fill: colors.replacement,
      strokeWidth: 2.5,
      strokeDasharray: '2 5',
    },
  ];

  return (
    <div className={classes.charts}>
      <Chart
        wide
        title="Lead Volume Over Time"
        summary={`${countOf(leads, 'lead')} in ${days.length} days`}
        legend={lines}
      >
        <LineChart data={days} margin={{ top: 8, right: 12, left: -16, bottom: 0 }} {...SIZE}>
          <CartesianGrid stroke={colors.grid} vertical={false} />
          <XAxis dataKey="date" tickFormatter={dayText} minTickGap={32} {...axis} />
          <YAxis allowDecimals={false} {...axis} />
          <Tooltip
            {...tooltip}
            labelFormatter={(label) => (typeof label === 'string' ? dayText(label) : label)}
          />
          {lines.map(({ name, fill, ...line }) => (
            <Line key={name} name={name} stroke={fill} dot={false} isAnimationActive={false} {...line} />
          ))}
        </LineChart>
      </Chart>
      <Chart
        wide={!compare}
        title="Claims Distribution"
        summary={claims.map(({ name, value }) => `${name}: ${formatNumber(value)}`).join(', ')}
        legend={claims}
        empty={claimCount === 0 ? 'No claims yet' : undefined}
      >
        <PieChart {...SIZE}>
          <Pie
            data={claims}
            dataKey="value"
            nameKey="name"
            innerRadius="55%"
            outerRadius="85%"
            isAnimationActive={false}
            stroke={colors.body}
            rootTabIndex={-1}
          />
          <Tooltip {...tooltip} />
        </PieChart>
      </Chart>
      {compare && (
        <Chart
          title="Buyer Comparison"
          summary={`Leads and reimbursements of ${countOf(compared.length, 'buyer')}${
            buyers.length > MAX_BARS ? ', those with the most leads' : ''
          }`}
          legend={[
            { name: 'Total leads received', fill: colors.total },
            { name: 'Total reimbursements', fill: colors.replacement },
          ]}
        >
          <BarChart
            layout="vertical"
            data={compared}
            margin={{ top: 8, right: 12, left: 0, bottom: 0 }}
            {...SIZE}
            style={{ width: '100%', height: Math.max(260, BAR_ROW_PX * compared.length + 40) }}
          >
            <CartesianGrid stroke={colors.grid} horizontal={false} />
            <XAxis type="number" allowDecimals={false} {...axis} />
            <YAxis
              type="category"
              dataKey="buyer_id"
              width={NAME_PX}
              interval={0}
              tickFormatter={shortName}
              {...axis}
            />
            <Tooltip {...tooltip} />
            <Bar
              name="Total leads received"
              dataKey="total_leads_received"
              fill={colors.total}
              isAnimationActive={false}
            />
            <Bar
              name="Total reimbursements"
              dataKey="reimbursement_leads_received"
              fill={colors.replacement}
              isAnimationActive={false}
            />
          </BarChart>
        </Chart>
      )}
    </div>
  );
}

/** As wide as its place; the figures stand in words beside it, so the drawing itself is not read out. */
const SIZE = {
  responsive: true,
  style: { width: '100%', height: 260 },
  accessibilityLayer: false,
} as const;

/** Of a buyer's name beside its two bars, and of both bars. */
const NAME_PX = 110;
const BAR_ROW_PX = 28;
const MAX_NAME_CHARACTERS = 16;

const shortName = (name: string) =>
  name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS - 1)}…` : name;

/** More bars than this cannot be told apart. */
const MAX_BARS = 20;

interface ChartProps {
  readonly title: string;
  readonly summary: string;
  readonly legend: readonly { readonly name: string; readonly fill: string }[];
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
            {legend.map(({ name, fill }) => (
              <span key={name} className={classes.entry}>
                <span className={classes.swatch} style={{ background: fill }} />
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

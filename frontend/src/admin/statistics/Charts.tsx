import { Group, Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import {
  Bar,
  BarChart,
  CartesianGrid,
  Label,
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
import { OnceVisible } from './OnceVisible';

interface Props {
  readonly days: readonly DayOfStats[];
  readonly buyers: readonly BuyerStats[];
  /** Whether to compare the buyers with each other. */
  readonly compare: boolean;
}

/** The same colour for the same thing, here and in the tables' tags, in both colour schemes. */
const TOTAL = 'var(--tone-total-fill)';
const ORIGINAL = 'var(--tone-info-fill)';
const REPLACEMENT = 'var(--tone-special-fill)';
const GRID = 'var(--mantine-color-default-border)';
const GROUND = 'var(--mantine-color-body)';

const AXIS = {
  stroke: 'var(--mantine-color-dimmed)',
  tick: { fill: 'var(--mantine-color-dimmed)', fontSize: 12 },
  axisLine: false,
  tickLine: false,
} as const;
const TOOLTIP = {
  contentStyle: { background: GROUND, border: `1px solid ${GRID}`, borderRadius: 8 },
  cursor: { fill: GRID, fillOpacity: 0.4 },
} as const;

/** The line, doughnut and bar chart. Each also has its numbers in words, for screen readers. */
export function Charts({ days, buyers, compare }: Props) {
  const claims = [
    { name: 'Approved', value: sum(buyers, 'approved_claims'), fill: 'var(--tone-good-fill)' },
    { name: 'Rejected', value: sum(buyers, 'rejected_claims'), fill: 'var(--tone-bad-fill)' },
    { name: 'Pending', value: sum(buyers, 'pending_claims'), fill: 'var(--tone-wait-fill)' },
  ];
  const claimCount = claims.reduce((total, { value }) => total + value, 0);
  const leads = days.reduce((total, day) => total + day.leads_received, 0);
  const compared = buyers
    .toSorted((a, b) => b.total_leads_received - a.total_leads_received)
    .slice(0, MAX_BARS);
  const height = Math.max(HEIGHT_PX, BAR_ROW_PX * compared.length + 40);

  // Coinciding lines all stay visible: the total is broad and pale below the others, and those have different dashes.
  const lines = [
    { name: 'Total', dataKey: 'leads_received', fill: TOTAL, strokeWidth: 7, strokeOpacity: 0.35 },
    { name: 'Original', dataKey: 'original_leads', fill: ORIGINAL, strokeWidth: 2 },
    {
      name: 'Reimbursement',
      dataKey: 'reimbursement_leads',
      fill: REPLACEMENT,
      strokeWidth: 2.5,
      strokeDasharray: '2 5',
    },
  ];
  const bars = [
    { name: 'Total leads received', dataKey: 'total_leads_received', fill: TOTAL },
    { name: 'Total reimbursements', dataKey: 'reimbursement_leads_received', fill: REPLACEMENT },
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
          <CartesianGrid stroke={GRID} vertical={false} />
          <XAxis dataKey="date" tickFormatter={dayText} minTickGap={32} {...AXIS} />
          <YAxis allowDecimals={false} tickFormatter={formatNumber} {...AXIS} />
          <Tooltip
            {...TOOLTIP}
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
            innerRadius="58%"
            outerRadius="85%"
            isAnimationActive={false}
            stroke={GROUND}
            rootTabIndex={-1}
          >
            <Label position="center" dy={-6} {...SUM} value={formatNumber(claimCount)} />
            <Label position="center" dy={16} {...SUM_UNIT} value={claimCount === 1 ? 'claim' : 'claims'} />
          </Pie>
          <Tooltip {...TOOLTIP} />
        </PieChart>
      </Chart>
      {compare && (
        <Chart
          title="Buyer Comparison"
          summary={`Leads and reimbursements of ${countOf(compared.length, 'buyer')}${
            buyers.length > MAX_BARS ? ', those with the most leads' : ''
          }`}
          legend={bars}
          height={height}
        >
          <BarChart
            layout="vertical"
            data={compared}
            margin={{ top: 8, right: 12, left: 0, bottom: 0 }}
            {...SIZE}
            style={{ width: '100%', height }}
          >
            <CartesianGrid stroke={GRID} horizontal={false} />
            <XAxis type="number" allowDecimals={false} tickFormatter={formatNumber} {...AXIS} />
            <YAxis
              type="category"
              dataKey="buyer_id"
              width={NAME_PX}
              interval={0}
              tickFormatter={shortName}
              {...AXIS}
            />
            <Tooltip {...TOOLTIP} />
            {bars.map((bar) => (
              <Bar key={bar.name} isAnimationActive={false} {...bar} />
            ))}
          </BarChart>
        </Chart>
      )}
    </div>
  );
}

/** In the middle of the ring. */
const SUM = { fill: 'var(--mantine-color-text)', fontSize: 24, fontWeight: 600 } as const;
const SUM_UNIT = { fill: 'var(--mantine-color-dimmed)', fontSize: 12 } as const;

const HEIGHT_PX = 240;
/** Hidden from screen readers, which get the figures as text. */
const SIZE = {
  responsive: true,
  style: { width: '100%', height: HEIGHT_PX },
  accessibilityLayer: false,
} as const;

/** Width of a buyer's name, and height of its two bars. */
const NAME_PX = 110;
const BAR_ROW_PX = 28;
const MAX_NAME_CHARACTERS = 16;

const shortName = (name: string) =>
  name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS - 1)}…` : name;

/** More bars than this cannot be distinguished. */
const MAX_BARS = 20;

interface ChartProps {
  readonly title: string;
  readonly summary: string;
  readonly legend: readonly { readonly name: string; readonly fill: string }[];
  readonly wide?: boolean;
  readonly height?: number;
  readonly empty?: string | undefined;
  readonly children: ReactNode;
}

function Chart({ title, summary, legend, wide = false, height = HEIGHT_PX, empty, children }: ChartProps) {
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
      </Title>
      {empty === undefined ? (
        <div aria-hidden="true">
          <OnceVisible before={<div style={{ height }} />}>{children}</OnceVisible>
          <Group justify="center" gap="4px 16px" mt={8} fz="sm">
            {legend.map(({ name, fill }) => (
              <Group key={name} gap={6}>
                <span className={classes.swatch} style={{ background: fill }} />
                {name}
              </Group>
            ))}
          </Group>
        </div>
      ) : (
        <p className={classes.empty}>{empty}</p>
      )}
      <Text component="figcaption" size="xs" c="dimmed" mt={8}>
        {summary}
      </Text>
    </Paper>
  );
}

function sum(
  buyers: readonly BuyerStats[],
  field: 'approved_claims' | 'rejected_claims' | 'pending_claims',
): number {
  return buyers.reduce((total, buyer) => total + buyer[field], 0);
}

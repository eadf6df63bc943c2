import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, useState } from 'react';
import { formatNumber } from '#shared/rules/formats';
import type { DayOfStats } from '../data/insights';
import { dayText } from '../ui/labels';
import classes from './Charts.module.css';
import { niceTicks } from './ticks';

/** Coinciding lines all stay visible: the total is broad and pale below the others, and those have different dashes. */
export const LINES = [
  {
    name: 'Total',
    key: 'leads_received',
    fill: 'var(--tone-total-fill)',
    width: 7,
    opacity: 0.35,
    dashes: undefined,
  },
  {
    name: 'Original',
    key: 'original_leads',
    fill: 'var(--tone-info-fill)',
    width: 2,
    opacity: 1,
    dashes: undefined,
  },
  {
    name: 'Reimbursement',
    key: 'reimbursement_leads',
    fill: 'var(--tone-special-fill)',
    width: 2.5,
    opacity: 1,
    dashes: '2 5',
  },
] as const;

const HEIGHT = 240;
const PLOT = { left: 44, right: 36, top: 8, bottom: HEIGHT - 24 } as const;
/** Of a date below the axis. */
const LABEL_WIDTH = 90;

/** Leads per day. The pointer shows the figures of a day. */
export function LeadLines({ days }: { readonly days: readonly DayOfStats[] }) {
  const { ref, width } = useElementSize();
  const [pointed, setPointed] = useState<number>();
  const last = days.length - 1;
  const ticks = niceTicks(Math.max(0, ...days.map(({ leads_received }) => leads_received)));
  const inside = Math.max(1, width - PLOT.left - PLOT.right);
  const x = (index: number) => PLOT.left + (last === 0 ? inside / 2 : (inside * index) / last);
  const y = (value: number) => PLOT.bottom - ((PLOT.bottom - PLOT.top) * value) / (ticks.at(-1) ?? 1);
  const every = Math.max(1, Math.ceil((days.length * LABEL_WIDTH) / inside));
  const point = (event: PointerEvent<SVGElement>) => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left - PLOT.left;
    setPointed(Math.max(0, Math.min(last, Math.round((at / inside) * last))));
  };
  const day = pointed === undefined ? undefined : days[pointed];
  return (
    <div ref={ref} className={classes.lines}>
      <svg width={width} height={HEIGHT} onPointerMove={point} onPointerLeave={() => setPointed(undefined)}>
        {ticks.map((tick) => (
          <g key={tick}>
            <path d={`M${PLOT.left} ${y(tick)}h${inside}`} className={classes.grid} />
            <text x={PLOT.left - 8} y={y(tick) + 4} textAnchor="end">
              {formatNumber(tick)}
            </text>
          </g>
        ))}
        {days.map(
          ({ date }, index) =>
            index % every === 0 && (
              <text key={date} x={x(index)} y={HEIGHT - 4} textAnchor="middle">
                {dayText(date)}
              </text>
            ),
        )}
        {LINES.map(({ name, key, fill, width: thick, opacity, dashes }) => (
          <polyline
            key={name}
            points={days.map((one, index) => `${x(index)},${y(one[key])}`).join(' ')}
            fill="none"
            stroke={fill}
            strokeWidth={thick}
            strokeOpacity={opacity}
            strokeDasharray={dashes}
            strokeLinecap="round"
          />
        ))}
        {pointed !== undefined && (
          <path d={`M${x(pointed)} ${PLOT.top}V${PLOT.bottom}`} className={classes.pointed} />
        )}
      </svg>
      {day !== undefined && pointed !== undefined && (
        <div
          className={classes.tip}
          style={pointed > last / 2 ? { right: width - x(pointed) + 12 } : { left: x(pointed) + 12 }}
        >
          <strong>{dayText(day.date)}</strong>
          {LINES.map(({ name, key }) => (
            <span key={name}>
              {name}: {formatNumber(day[key])}
            </span>
          ))}
        </div>
      )}
    </div>
  );
}

import { type PointerEvent, useState } from 'react';
import { formatNumber } from '#shared/rules/formats';
import { dayText } from '../ui/labels';
import classes from './LineChart.module.css';
import type { Series } from './series';

interface Line extends Series {
  /** Pixels. */
  readonly width: number;
  readonly opacity?: number;
  readonly dash?: string;
  /** One for each day. */
  readonly values: readonly number[];
}

interface Props {
  /** Berlin days such as `2025-05-14`. */
  readonly days: readonly string[];
  readonly lines: readonly Line[];
}

/** As many as fit on a wide screen; on a narrow one the styles leave out every second. */
const MAX_LABELS = 8;
const GRID_LINES = 4;

/** Lines over days; the pointer shows the figures of a day. */
export function LineChart({ days, lines }: Props) {
  const [shown, setShown] = useState<number>();
  const last = Math.max(1, days.length - 1);
  const step = gridStep(Math.max(1, ...lines.flatMap(({ values }) => values)));
  const top = step * GRID_LINES;
  const percent = (index: number) => (index / last) * 100;
  const labelStep = Math.max(1, Math.ceil(days.length / MAX_LABELS));

  const showDay = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setShown(Math.max(0, Math.min(days.length - 1, Math.round(((clientX - left) / width) * last))));
  };

  return (
    <div className={classes.chart}>
      {Array.from({ length: GRID_LINES + 1 }, (_, at) => (
        <div key={at} className={classes.grid} style={{ bottom: `${(at / GRID_LINES) * 100}%` }}>
          <span>{formatNumber(at * step)}</span>
        </div>
      ))}
      <div className={classes.plot} onPointerMove={showDay} onPointerLeave={() => setShown(undefined)}>
        <svg viewBox={`0 0 ${last} 100`} preserveAspectRatio="none" aria-hidden="true">
          {lines.map(({ name, color, width, opacity = 1, dash, values }) => (
            <polyline
              key={name}
              points={values.map((value, index) => `${index},${100 - (value / top) * 100}`).join(' ')}
              fill="none"
              stroke={color}
              strokeWidth={width}
              strokeOpacity={opacity}
              strokeDasharray={dash}
              strokeLinejoin="round"
              vectorEffect="non-scaling-stroke"
            />
          ))}
        </svg>
        {shown !== undefined && (
          <div className={classes.marker} style={{ left: `${percent(shown)}%` }}>
            <div className={classes.tooltip} data-flipped={percent(shown) > 60 || undefined}>
              <strong>{dayText(days[shown] ?? '')}</strong>
              {lines.map(({ name, values }) => (
                <span key={name}>
                  {name}: {formatNumber(values[shown] ?? 0)}
                </span>
              ))}
            </div>
          </div>
        )}
      </div>
      <div className={classes.labels}>
        {days.map(
          (day, index) =>
            index % labelStep === 0 && (
              <span key={day} style={{ left: `${percent(index)}%` }}>
                {dayText(day)}
              </span>
            ),
        )}
      </div>
    </div>
  );
}

/** A round number of which few make up the most: 1, 2 or 5 times a power of ten. */
function gridStep(most: number): number {
  const least = most / GRID_LINES;
  const power = 10 ** Math.floor(Math.log10(least));
  return Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? least);
}

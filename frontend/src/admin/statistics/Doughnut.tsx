import { formatNumber } from '#shared/rules/formats';
import classes from './Charts.module.css';
import type { Series } from './series';

interface Props {
  readonly parts: readonly (Series & { readonly value: number })[];
  /** What the sum in the middle counts. */
  readonly label: string;
}

/** With this radius the circle is 100 long, so that a part's length is its percentage. */
const RADIUS = 100 / (2 * Math.PI);

/** A ring of parts with their sum in the middle. */
export function Doughnut({ parts, label }: Props) {
  const total = parts.reduce((all, { value }) => all + value, 0);
  const starts = parts.map((_, at) => parts.slice(0, at).reduce((before, { value }) => before + value, 0));
  return (
    <svg className={classes.doughnut} viewBox="-21 -21 42 42" aria-hidden="true">
      {parts.map(({ name, value, color }, at) => {
        const share = (value / total) * 100;
        return (
          <circle
            key={name}
            r={RADIUS}
            fill="none"
            stroke={color}
            strokeWidth={5}
            strokeDasharray={`${Math.max(0, share - 0.5)} 100`}
            transform={`rotate(${((starts[at] ?? 0) / total) * 360 - 90})`}
          >
            <title>{`${name}: ${formatNumber(value)}`}</title>
          </circle>
        );
      })}
      <text className={classes.sum} y={1}>
        {formatNumber(total)}
      </text>
      <text className={classes.sumLabel} y={5.5}>
        {label}
      </text>
    </svg>
  );
}

import { formatNumber } from '#shared/rules/formats';
import classes from './Charts.module.css';

interface Props {
  readonly parts: readonly { readonly name: string; readonly value: number; readonly fill: string }[];
}

/** Its circumference is 100, so lengths are percentages. */
const RADIUS = 100 / (2 * Math.PI);

export function Doughnut({ parts }: Props) {
  const total = parts.reduce((sum, { value }) => sum + value, 0);
  const percents = parts.map(({ value }) => (100 * value) / total);
  return (
    <svg viewBox="-22 -22 44 44" className={classes.doughnut}>
      {parts.map(({ name, fill }, index) => {
        const percent = percents[index] ?? 0;
        const before = percents.slice(0, index).reduce((sum, one) => sum + one, 0);
        return (
          <circle
            key={name}
            r={RADIUS}
            fill="none"
            stroke={fill}
            strokeWidth={7}
            strokeDasharray={`${percent} ${100 - percent}`}
            // From the top, clockwise.
            strokeDashoffset={25 - before}
          />
        );
      })}
      <text y={1}>{formatNumber(total)}</text>
      <text y={6} className={classes.unit}>
        {total === 1 ? 'claim' : 'claims'}
      </text>
    </svg>
  );
}

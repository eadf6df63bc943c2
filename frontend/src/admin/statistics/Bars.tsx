import { Fragment } from 'react';
import { formatNumber } from '#shared/rules/formats';
import classes from './Bars.module.css';
import type { Series } from './series';

interface Props {
  readonly series: readonly Series[];
  /** Each with one value for each of the series. */
  readonly rows: readonly { readonly name: string; readonly values: readonly number[] }[];
}

/** Horizontal bars, in groups of one for each of the series, with the figure at the end of each. */
export function Bars({ series, rows }: Props) {
  const most = Math.max(1, ...rows.flatMap(({ values }) => values));
  return (
    <div className={classes.bars}>
      {rows.map(({ name, values }) => (
        <Fragment key={name}>
          <span className={classes.name} title={name}>
            {name}
          </span>
          <div>
            {series.map((one, at) => (
              <div
                key={one.name}
                className={classes.bar}
                title={`${one.name}: ${formatNumber(values[at] ?? 0)}`}
              >
                <span style={{ width: `${((values[at] ?? 0) / most) * 100}%`, background: one.color }} />
                {formatNumber(values[at] ?? 0)}
              </div>
            ))}
          </div>
        </Fragment>
      ))}
    </div>
  );
}

import type { ReactNode } from 'react';
import { formatNumber } from '#shared/rules/formats';
import { percentOf } from './labels';
import classes from './Meter.module.css';

interface Props {
  readonly done: number;
  readonly of: number;
  /** The bar's name for screen readers. */
  readonly label: string;
  readonly showPercent?: boolean;
  /** `done` as a link to what is delivered. */
  readonly figure?: ReactNode;
  /** Next to the numbers. */
  readonly children?: ReactNode;
}

/** A bar with its numbers: delivered of limit. The library's bar would be a tenth of the dashboard's script. */
export function Meter({ done, of, label, showPercent = false, figure, children }: Props) {
  const percent = percentOf(done, of);
  return (
    <div className={classes.meter}>
      <div className={classes.line}>
        <span>
          {figure ?? formatNumber(done)} / {formatNumber(of)}
          {showPercent && ` (${percent}%)`}
        </span>
        {children}
      </div>
      <div
        role="progressbar"
        className={classes.bar}
        aria-label={`${label}: ${done} of ${of}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.min(100, percent)}
      >
        <div
          style={{
            width: `${Math.min(100, percent)}%`,
            background: percent >= 100 ? 'var(--tone-good-fill)' : 'var(--tone-info-fill)',
          }}
        />
      </div>
    </div>
  );
}

import { Text } from '@mantine/core';
import { formatNumber } from '#shared/rules/formats';
import { percentOf } from './labels';
import classes from './Meter.module.css';

interface Props {
  readonly done: number;
  readonly of: number;
  /** What is measured, for those who cannot see the bar. */
  readonly label: string;
  readonly showPercent?: boolean;
}

/** A bar with its numbers: delivered of limit. The library's bar would be a tenth of the dashboard's own script. */
export function Meter({ done, of, label, showPercent = false }: Props) {
  const percent = percentOf(done, of);
  return (
    <div>
      <Text size="sm" style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
        {formatNumber(done)} / {formatNumber(of)}
        {showPercent && ` (${percent}%)`}
      </Text>
      <div
        role="progressbar"
        aria-label={`${label}: ${done} of ${of}`}
        aria-valuenow={Math.min(100, percent)}
        className={classes.bar}
      >
        <div
          className={percent >= 100 ? `${classes.done} ${classes.full}` : classes.done}
          style={{ width: `${Math.min(100, percent)}%` }}
        />
      </div>
    </div>
  );
}

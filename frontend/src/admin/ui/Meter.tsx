import { Progress, Text } from '@mantine/core';
import { formatNumber } from '#shared/rules/formats';
import { percentOf } from './labels';

interface Props {
  readonly done: number;
  readonly of: number;
  /** What is measured, for those who cannot see the bar. */
  readonly label: string;
  readonly showPercent?: boolean;
}

/** A bar with its numbers: delivered of limit. */
export function Meter({ done, of, label, showPercent = false }: Props) {
  const percent = percentOf(done, of);
  return (
    <div>
      <Text size="sm" style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
        {formatNumber(done)} / {formatNumber(of)}
        {showPercent && ` (${percent}%)`}
      </Text>
      <Progress
        value={Math.min(100, percent)}
        size="sm"
        mt={4}
        color={percent >= 100 ? 'teal.8' : 'blue.8'}
        aria-label={`${label}: ${done} of ${of}`}
      />
    </div>
  );
}

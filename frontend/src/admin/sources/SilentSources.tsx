import { Alert, Text } from '@mantine/core';
import { formatNumber } from '#shared/rules/formats';
import { useSilentSources } from '../data/insights';
import { dayText } from '../ui/labels';

/** Lists silent sources; renders nothing without any. */
export function SilentSources() {
  const { data: silent = [] } = useSilentSources();
  if (silent.length === 0) return null;
  return (
    <Alert
      color="orange"
      title={silent.length === 1 ? 'A source stopped sending' : `${silent.length} sources stopped sending`}
    >
      {silent.map(({ source_id, name, last_day, last_hour, usual }) => (
        <Text key={source_id} style={{ overflowWrap: 'anywhere' }}>
          <strong>{name}</strong>: no lead since {dayText(last_day)}, {last_hour}:00 to {last_hour + 1}:00. In
          this time {formatNumber(usual)} usually arrive, based on the previous four weeks.
        </Text>
      ))}
    </Alert>
  );
}

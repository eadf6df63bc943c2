import { Alert, Group, Text } from '@mantine/core';
import { formatDateTime } from '#shared/rules/formats';
import { ToolButton } from '../../ui/ToolButton';

interface Props {
  readonly at: string;
  readonly switchOn: () => void;
}

/** After the answer 410 nothing is sent. */
export function TurnedOff({ at, switchOn }: Props) {
  return (
    <Alert color="orange" title="Turned off" mb="sm" role="alert">
      <Group gap="sm">
        <Text flex={1} miw={200}>
          The receiver answered 410 (Gone) on {formatDateTime(new Date(at))}. Nothing has been sent since.
        </Text>
        <ToolButton onClick={switchOn}>Turn on again</ToolButton>
      </Group>
    </Alert>
  );
}

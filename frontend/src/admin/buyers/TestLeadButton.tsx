import { Button, Group, Text } from '@mantine/core';
import type { Channel } from '#shared/channels/channels';
import { useSendTestLead } from '../data/deliveries';
import { testOutcomeText } from '../ui/test-outcome';

interface Props {
  readonly buyerId: string;
  readonly channel: Channel;
  /** True while the form differs from what is stored; the test uses what is stored. */
  readonly unsaved: boolean;
}

/** Sends an invented lead by one channel and tells what came back. */
export function TestLeadButton({ buyerId, channel, unsaved }: Props) {
  const test = useSendTestLead();
  return (
    <Group mt="md" gap="sm" align="flex-start">
      <Button
        size="xs"
        variant="default"
        loading={test.isPending}
        disabled={unsaved}
        onClick={() => test.mutate({ params: { buyerId, channel } })}
      >
        Send a test lead
      </Button>
      <Text size="sm" role="status" style={{ flex: 1, overflowWrap: 'anywhere' }}>
        {unsaved ? 'Save first: the test uses the stored settings.' : test.data && testOutcomeText(test.data)}
      </Text>
    </Group>
  );
}

import { Button, Group, Text } from '@mantine/core';
import type { Channel } from '#shared/channels/channels';
import { type TestOutcome, useSendTestLead } from '../data/deliveries';

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
        {unsaved ? 'Save first: the test uses the stored settings.' : test.data && describe(test.data)}
      </Text>
    </Group>
  );
}

function describe({ outcome, status_code, answer }: TestOutcome): string {
  const details = [status_code === null ? '' : `status ${status_code}`, answer ?? '']
    .filter((part) => part !== '')
    .join(', ');
  return details === '' ? OUTCOME_TEXT[outcome] : `${OUTCOME_TEXT[outcome]} (${details})`;
}

const OUTCOME_TEXT = {
  delivered: 'Delivered',
  transient: 'Failed, and would be tried again',
  permanent: 'Refused',
  unknown: 'No clear answer',
} as const satisfies Record<TestOutcome['outcome'], string>;

import { Group, Text } from '@mantine/core';
import type { TestOutcome } from '../data/deliveries';
import { ToolButton } from './ToolButton';

interface Props {
  readonly text: string;
  /** True while the form differs from what is stored, which the test uses. */
  readonly unsaved: boolean;
  readonly test: {
    readonly isPending: boolean;
    readonly data: TestOutcome | undefined;
  };
  readonly send: () => void;
}

/** Sends test data and shows the answer. */
export function TestButton({ text, unsaved, test, send }: Props) {
  return (
    <Group mt="md" gap="sm" align="flex-start">
      <ToolButton loading={test.isPending} disabled={unsaved} onClick={send}>
        {text}
      </ToolButton>
      <Text role="status" flex={1} style={{ overflowWrap: 'anywhere' }}>
        {unsaved ? 'Save first. The test uses the saved settings.' : test.data && testOutcomeText(test.data)}
      </Text>
    </Group>
  );
}

/** `Refused (status 401, ...)` */
function testOutcomeText({ outcome, status_code, answer }: TestOutcome): string {
  const details = [status_code === null ? '' : `status ${status_code}`, answer ?? '']
    .filter((part) => part !== '')
    .join(', ');
  return details === '' ? OUTCOME_TEXT[outcome] : `${OUTCOME_TEXT[outcome]} (${details})`;
}

const OUTCOME_TEXT = {
  delivered: 'Delivered',
  transient: 'Failed, would be retried',
  permanent: 'Refused',
  unknown: 'No clear answer',
} as const satisfies Record<TestOutcome['outcome'], string>;

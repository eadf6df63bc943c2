import { Alert, Anchor, Group, Text } from '@mantine/core';
import { OUTCOME } from '../texts';
import { CopyButton } from '../ui/CopyLink';

/** Tells to whom a lead went, with the link to share. */
export function AssignedAlert({ buyer, link }: { buyer: string; link: string }) {
  const [before = '', after = ''] = OUTCOME.assigned(buyer, '\n').split('\n');
  return (
    <Alert color="teal" variant="outline" role="alert" title="Assigned">
      <Group gap={6} wrap="nowrap" align="flex-start">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {before}
          <Anchor href={link} target="_blank" rel="noreferrer" size="sm" underline="always">
            {link}
          </Anchor>
          {after}
        </Text>
        <CopyButton value={link} label="Copy link" />
      </Group>
    </Alert>
  );
}

import { Alert, Anchor, Group, Text } from '@mantine/core';
import { OUTCOME } from '../texts';
import { CopyButton } from '../ui/CopyLink';

/** The buyer of a lead, with the link unless it is switched off. */
export function AssignedAlert({ buyer, link }: { buyer: string; link: string | null }) {
  if (link === null)
    return (
      <Alert color="teal" role="alert" title="Assigned">
        {OUTCOME.assignedWithoutLink(buyer)}
      </Alert>
    );
  const [before = '', after = ''] = OUTCOME.assigned(buyer, '\n').split('\n');
  return (
    <Alert color="teal" role="alert" title="Assigned">
      <Group gap={6} wrap="nowrap" align="flex-start">
        <Text style={{ overflowWrap: 'anywhere' }}>
          {before}
          <Anchor href={link} target="_blank" rel="noreferrer" underline="always">
            {link}
          </Anchor>
          {after}
        </Text>
        <CopyButton value={link} label="Copy link" />
      </Group>
    </Alert>
  );
}

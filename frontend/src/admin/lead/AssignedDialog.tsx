import { Button, Group } from '@mantine/core';
import { AppModal } from '../ui/AppModal';
import { AssignedAlert } from './AssignedAlert';

interface Props {
  readonly buyer: string;
  readonly link: string | null;
  readonly close: () => void;
}

export function AssignedDialog({ buyer, link, close }: Props) {
  return (
    <AppModal title="Lead assigned" close={close}>
      <AssignedAlert buyer={buyer} link={link} />
      <Group justify="flex-end" mt="lg">
        <Button onClick={close}>Done</Button>
      </Group>
    </AppModal>
  );
}

import { Button, Group } from '@mantine/core';
import type { DialogInput } from '../dialogs/dialogs';
import { AppModal } from '../ui/AppModal';
import { AssignedAlert } from './AssignedAlert';

export function AssignedDialog({ buyer, link, close }: DialogInput<'assigned'>) {
  return (
    <AppModal title="Lead assigned" close={close}>
      <AssignedAlert buyer={buyer} link={link} />
      <Group justify="flex-end" mt="lg">
        <Button onClick={close}>Done</Button>
      </Group>
    </AppModal>
  );
}

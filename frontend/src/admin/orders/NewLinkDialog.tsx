import { Button, Group, Text, TextInput } from '@mantine/core';
import { AppModal } from '../ui/AppModal';
import { CopyButton } from '../ui/CopyLink';

interface Props {
  readonly buyerId: string;
  readonly link: string;
  readonly close: () => void;
}

/** Shows a link that was just made, to be sent to the buyer. */
export function NewLinkDialog({ buyerId, link, close }: Props) {
  return (
    <AppModal title={`New link for ${buyerId}`} close={close}>
      <Text size="sm" mb="sm">
        Send this link to the buyer. An earlier link no longer works.
      </Text>
      <TextInput
        label="Leads link"
        readOnly
        value={link}
        onFocus={(event) => event.currentTarget.select()}
        rightSection={<CopyButton value={link} label="Copy link" />}
      />
      <Group justify="flex-end" mt="lg">
        <Button onClick={close}>Done</Button>
      </Group>
    </AppModal>
  );
}

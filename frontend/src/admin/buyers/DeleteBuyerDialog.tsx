import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useDeleteBuyer } from '../data/buyers';
import type { DialogInput } from '../dialogs/dialogs';
import { CONFIRM } from '../texts';
import { AppModal } from '../ui/AppModal';

/** Confirms the deletion of a buyer and asks whether to switch off its links. */
export function DeleteBuyerDialog({ buyer, close }: DialogInput<'delete-buyer'>) {
  const remove = useDeleteBuyer();
  const [isWithLinks, setWithLinks] = useState(false);
  return (
    <AppModal title="Delete buyer" close={close} size="md">
      <Stack gap="md">
        <Text style={{ overflowWrap: 'anywhere' }}>{CONFIRM.deleteBuyer(buyer.buyer_id)}</Text>
        {buyer.order_id !== null && (
          <Checkbox
            label="Turn off the links of all its orders"
            description="These links stop working. If you keep them, the lists stay visible, with names and phone numbers."
            checked={isWithLinks}
            onChange={(event) => setWithLinks(event.currentTarget.checked)}
          />
        )}
      </Stack>
      <Group justify="flex-end" mt="lg">
        <Button data-autofocus variant="default" onClick={close}>
          Cancel
        </Button>
        <Button
          color="red.9"
          onClick={() => {
            remove.mutate({ buyerId: buyer.buyer_id, links: isWithLinks ? 'off' : 'keep' });
            close();
          }}
        >
          Delete
        </Button>
      </Group>
    </AppModal>
  );
}

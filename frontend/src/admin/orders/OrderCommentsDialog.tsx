import { Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useSaveComments } from '../data/orders';
import { useNotifications } from '../notifications';
import { DONE } from '../texts';
import { AppModal } from '../ui/AppModal';
import { FormButtons } from '../ui/FormButtons';

interface Props {
  readonly orderId: number;
  readonly comments: string;
  readonly close: () => void;
}

export function OrderCommentsDialog({ orderId, comments, close }: Props) {
  const [value, setValue] = useState(comments);
  const save = useSaveComments();
  const notifications = useNotifications();
  const submit = () =>
    save.mutate(
      { params: { orderId }, body: { comments: value } },
      {
        onSuccess: () => {
          notifications.success(DONE.commentsSaved);
          close();
        },
      },
    );
  return (
    <AppModal
      title={`Order Comments #${orderId}`}
      close={close}
      dirty={value !== comments && !save.isSuccess}
    >
      <Stack>
        <Textarea
          label="Comments"
          description="The buyer sees them on the link page."
          data-autofocus
          autosize
          minRows={5}
          maxRows={14}
          maxLength={5000}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        <FormButtons cancel={close} action="Save" saving={save.isPending} onAction={submit} />
      </Stack>
    </AppModal>
  );
}

import { Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { loadOrder, useSaveComments } from '../data/orders';
import { AppModal } from '../ui/AppModal';
import { EditButtons, useEdit } from '../ui/edit';

interface Props {
  readonly buyerId: string;
  readonly orderId: number;
  readonly orderNumber: number;
  readonly comments: string;
  readonly close: () => void;
}

export function OrderCommentsDialog({ buyerId, orderId, orderNumber, comments, close }: Props) {
  const form = useForm({ initialValues: { comments } });
  const edit = useEdit({
    form,
    load: async () => ({ comments: (await loadOrder(buyerId, orderId)).comments }),
    labels: { comments: 'Comments' },
  });
  const save = useSaveComments();
  const submit = () =>
    save.mutate(
      { params: { orderId }, body: { ...form.getValues(), seen: edit.changes((values) => values).seen } },
      { onSuccess: close, onError: edit.refused },
    );
  return (
    <AppModal
      title={`Order Comments #${orderNumber}`}
      close={close}
      dirty={form.isDirty() && !save.isSuccess}
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
          {...form.getInputProps('comments')}
        />
        <EditButtons edit={edit} cancel={close} action="Save" saving={save.isPending} onAction={submit} />
      </Stack>
    </AppModal>
  );
}

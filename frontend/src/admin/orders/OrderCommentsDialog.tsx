import { Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { loadOrder, useSaveComments } from '../data/orders';
import type { DialogInput } from '../dialogs/dialogs';
import { useEdit } from '../ui/edit';
import { FormModal } from '../ui/FormModal';

export function OrderCommentsDialog({
  buyerId,
  orderId,
  orderNumber,
  comments,
  close,
}: DialogInput<'order-comments'>) {
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
    <FormModal
      title={`Order Comments #${orderNumber}`}
      close={close}
      form={form}
      submit={submit}
      write={save}
      edit={edit}
      action="Save"
      byButton
    >
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
    </FormModal>
  );
}

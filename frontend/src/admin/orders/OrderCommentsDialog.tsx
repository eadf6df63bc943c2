import { Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { orderNumberText } from '#shared/rules/order-texts';
import { useApiMutation } from '../data/mutation';
import { loadOrder } from '../data/orders';
import type { DialogInput } from '../dialogs/dialogs';
import { EditModal } from '../ui/EditModal';

export function OrderCommentsDialog({
  buyerId,
  orderId,
  orderNumber,
  comments,
  close,
}: DialogInput<'order-comments'>) {
  const form = useForm({ initialValues: { comments } });
  return (
    <EditModal
      title={`Order Comments ${orderNumberText(orderNumber)}`}
      action="Save"
      form={form}
      load={async () => ({ comments: (await loadOrder(buyerId, orderId)).comments })}
      labels={{ comments: 'Comments' }}
      requestOf={(values) => values}
      inputOf={({ expected }) => ({ params: { orderId }, body: { ...form.getValues(), expected } })}
      write={useApiMutation('updateOrderComments')}
      close={close}
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
    </EditModal>
  );
}

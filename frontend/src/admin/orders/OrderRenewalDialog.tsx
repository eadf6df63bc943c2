import { NativeSelect, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { loadOrder, useSaveRenewal } from '../data/orders';
import type { DialogInput } from '../dialogs/dialogs';
import { useEdit } from '../ui/edit';
import { FormModal } from '../ui/FormModal';
import { renewalChoices } from './renewal-texts';

/** What happens when an order is full. */
export function OrderRenewalDialog({
  buyerId,
  orderId,
  prepay,
  renewal,
  close,
}: DialogInput<'order-renewal'>) {
  const form = useForm({ initialValues: { renewal } });
  const edit = useEdit({
    form,
    load: async () => ({ renewal: (await loadOrder(buyerId, orderId)).renewal }),
    labels: { renewal: 'When it is full' },
  });
  const save = useSaveRenewal();
  const submit = () =>
    save.mutate(
      {
        params: { orderId },
        body: { ...form.getValues(), seen: { renewal, ...edit.changes((values) => values).seen } },
      },
      { onSuccess: close, onError: edit.refused },
    );
  return (
    <FormModal
      title={`Renewal of order ${orderId}`}
      size="sm"
      close={close}
      form={form}
      submit={submit}
      write={save}
      edit={edit}
      action="Save"
      byButton
    >
      <NativeSelect
        label="When it is full"
        data-autofocus
        data={renewalChoices(prepay)}
        {...form.getInputProps('renewal')}
      />
      {form.values.renewal !== 'none' && (
        <Text size="sm" c="dimmed">
          The next order has the same limit and caps, and the price and terms that the buyer has by then. The
          buyer gets its link by e-mail.
        </Text>
      )}
    </FormModal>
  );
}

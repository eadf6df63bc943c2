import { NativeSelect, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useApiMutation } from '../data/mutation';
import { loadOrder } from '../data/orders';
import type { DialogInput } from '../dialogs/dialogs';
import { EditModal } from '../ui/EditModal';

import { RENEWAL, renewalChoices } from './renewal-texts';

export function OrderRenewalDialog({
  buyerId,
  orderId,
  prepay,
  renewal,
  close,
}: DialogInput<'order-renewal'>) {
  const form = useForm({ initialValues: { renewal } });
  return (
    <EditModal
      title={`Renewal of order ${orderId}`}
      action="Save"
      size="sm"
      form={form}
      load={async () => ({ renewal: (await loadOrder(buyerId, orderId)).renewal })}
      labels={{ renewal: RENEWAL }}
      requestOf={(values) => values}
      inputOf={({ expected }) => ({
        params: { orderId },
        body: { ...form.getValues(), expected: { renewal, ...expected } },
      })}
      write={useApiMutation('updateOrderRenewal')}
      close={close}
      byButton
    >
      <NativeSelect
        label={RENEWAL}
        data-autofocus
        data={renewalChoices(prepay)}
        {...form.getInputProps('renewal')}
      />
      {form.values.renewal !== 'none' && (
        <Text c="dimmed">
          The next order keeps the limit and caps and uses the buyer’s price and terms at that time. The buyer
          gets its link by e-mail.
        </Text>
      )}
    </EditModal>
  );
}

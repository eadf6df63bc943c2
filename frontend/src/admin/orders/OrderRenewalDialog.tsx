import { NativeSelect, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Renewal } from '#shared/rules/constants';
import { loadOrder, useSaveRenewal } from '../data/orders';
import { AppModal } from '../ui/AppModal';
import { EditButtons, useEdit } from '../ui/edit';
import { renewalChoices } from './renewal-texts';

interface Props {
  readonly buyerId: string;
  readonly orderId: number;
  readonly prepay: boolean;
  readonly renewal: Renewal;
  readonly close: () => void;
}

/** What happens when an order is full. */
export function OrderRenewalDialog({ buyerId, orderId, prepay, renewal, close }: Props) {
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
    <AppModal title={`Renewal of order ${orderId}`} close={close} size="sm" dirty={form.isDirty()}>
      <Stack>
        <NativeSelect
          label="When it is full"
          data-autofocus
          data={renewalChoices(prepay)}
          {...form.getInputProps('renewal')}
        />
        {form.values.renewal !== 'none' && (
          <Text size="sm" c="dimmed">
            The next order has the same limit and caps, and the price and terms that the buyer has by then.
            The buyer gets its link by e-mail.
          </Text>
        )}
        <EditButtons edit={edit} cancel={close} action="Save" saving={save.isPending} onAction={submit} />
      </Stack>
    </AppModal>
  );
}

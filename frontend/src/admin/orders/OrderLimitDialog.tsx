import { Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useUpdateLimit } from '../data/buyers';
import { FAILED, INVALID } from '../texts';
import { AppModal } from '../ui/AppModal';
import { FormButtons } from '../ui/FormButtons';
import { focusFirstError } from '../ui/form';

interface Props {
  readonly buyerId: string;
  readonly limit: number;
  /** Of an order chosen among others; the failure is then that of the order. */
  readonly orderId?: number;
  readonly close: () => void;
}

/** Changes the limit of the buyer's open order; the list shows it at once and takes it back if it is refused. */
export function OrderLimitDialog({ buyerId, limit, orderId, close }: Props) {
  const [value, setValue] = useState(String(limit));
  const [error, setError] = useState<string>();
  const update = useUpdateLimit(orderId === undefined ? FAILED.updateOrderLimit : FAILED.updateOrder);

  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!/^\d+$/.test(value.trim()) || Number(value) < 1) {
      setError(INVALID.limit);
      focusFirstError();
      return;
    }
    update.mutate({ buyerId, limit: Number(value) });
    close();
  };

  return (
    <AppModal
      title={orderId === undefined ? `Lead limit of ${buyerId}` : `Lead limit of order ${orderId}`}
      close={close}
      size="sm"
      dirty={value !== String(limit)}
    >
      <form onSubmit={save} noValidate>
        <Stack>
          <TextInput
            label="Lead limit"
            required
            inputMode="numeric"
            data-autofocus
            value={value}
            error={error}
            onChange={(event) => {
              setValue(event.currentTarget.value);
              setError(undefined);
            }}
          />
          <FormButtons cancel={close} action="Save" />
        </Stack>
      </form>
    </AppModal>
  );
}

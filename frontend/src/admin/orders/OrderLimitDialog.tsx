import { Alert, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../app/api';
import { loadBuyer, useUpdateLimit } from '../data/buyers';
import { useDialogs } from '../dialogs/dialogs';
import { FAILED, INVALID } from '../texts';
import { AppModal } from '../ui/AppModal';
import { FormButtons } from '../ui/FormButtons';
import { focusFirstError } from '../ui/form';

interface Props {
  readonly buyerId: string;
  readonly limit: number;
  /** Of an order chosen among others; the failure is then that of the order. */
  readonly orderId?: number;
  /** What was typed when somebody else saved `limit` first. */
  readonly mine?: string;
  /** What the field holds at first, in place of `limit`. */
  readonly proposed?: string;
  readonly close: () => void;
}

/** Changes the limit of the buyer's open order; the list shows it at once and takes it back if it is refused. */
export function OrderLimitDialog({ buyerId, limit, orderId, mine, proposed, close }: Props) {
  const dialogs = useDialogs();
  const [value, setValue] = useState(mine ?? proposed ?? String(limit));
  const [error, setError] = useState<string>();
  const update = useUpdateLimit(orderId === undefined ? FAILED.updateOrderLimit : FAILED.updateOrder);

  const askAgain = async (failed: unknown) => {
    if (!(failed instanceof ApiError) || failed.code !== 'edited_meanwhile') return;
    const { lead_limit } = await loadBuyer(buyerId);
    dialogs.open('order-limit', {
      buyerId,
      limit: lead_limit,
      mine: value,
      ...(orderId !== undefined && { orderId }),
    });
  };

  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!/^\d+$/.test(value.trim()) || Number(value) < 1) {
      setError(INVALID.limit);
      focusFirstError();
      return;
    }
    void update.mutateAsync({ buyerId, limit: Number(value), seen: limit }).catch(askAgain);
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
          {mine !== undefined && (
            <Alert
              color="orange"
              variant="outline"
              title="Somebody else has changed this meanwhile"
              role="alert"
            >
              The limit is {limit} now. Save yours, or cancel to keep theirs.
            </Alert>
          )}
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

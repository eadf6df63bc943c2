import { Alert, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiError, isUnreachable } from '../../app/api';
import { loadBuyer, useUpdateLimit } from '../data/buyers';
import { CALLS } from '../data/calls';
import { type DialogInput, useDialogs } from '../dialogs/dialogs';
import { INVALID } from '../invalid-texts';
import { TROUBLE } from '../texts';
import { AppModal } from '../ui/AppModal';
import { FormButtons } from '../ui/FormButtons';
import { focusFirstError } from '../ui/form';
import { CapFields } from './CapFields';
import { type Caps, type CapValues, capErrors, capsOf, capValuesOf, isCount } from './caps';

interface Values extends CapValues {
  readonly lead_limit: string;
}

/** Changes limit and caps of the open order, optimistically. */
export function OrderLimitDialog({
  buyerId,
  limit,
  caps,
  orderId,
  mine,
  proposed,
  close,
}: DialogInput<'order-limit'>) {
  const dialogs = useDialogs();
  const stored: Values = { lead_limit: String(limit), ...capValuesOf(caps) };
  const [values, setValues] = useState<Values>(
    mine ?? { ...stored, ...(proposed !== undefined && { lead_limit: proposed }) },
  );
  const [errors, setErrors] = useState<Partial<Record<keyof Values, string>>>({});
  const update = useUpdateLimit(CALLS[orderId === undefined ? 'updateOrderLimit' : 'updateOrderRenewal'][0]);
  const change = (changes: Partial<Values>) => {
    setValues({ ...values, ...changes });
    setErrors({});
  };

  const refused = async (failed: unknown) => {
    // The dialog keeps what was typed.
    if (isUnreachable(failed)) return;
    close();
    if (!(failed instanceof ApiError) || failed.code !== 'edited_meanwhile') return;
    const { lead_limit, ...buyer } = await loadBuyer(buyerId);
    dialogs.open('order-limit', {
      buyerId,
      limit: lead_limit,
      caps: buyer,
      mine: values,
      ...(orderId !== undefined && { orderId }),
    });
  };

  const save = (event: FormEvent) => {
    event.preventDefault();
    const { lead_limit } = values;
    const found = { ...(!isCount(lead_limit) && { lead_limit: INVALID.limit }), ...capErrors(values) };
    if (Object.keys(found).length > 0) {
      setErrors(found);
      focusFirstError();
      return;
    }
    const expected = { limit, caps: capsOf(capValuesOf(caps)) };
    void update
      .mutateAsync({ buyerId, limit: Number(lead_limit), caps: capsOf(values), expected })
      .then(close, refused);
  };

  return (
    <AppModal
      title={orderId === undefined ? `Lead limit of ${buyerId}` : `Lead limit of order ${orderId}`}
      close={close}
      size="md"
      dirty={JSON.stringify(values) !== JSON.stringify(stored)}
    >
      <form onSubmit={save} noValidate>
        <Stack>
          {mine !== undefined && (
            <Alert color="orange" title={TROUBLE.changedMeanwhile} role="alert">
              The limit is {limit} now{theirCaps(caps)}. Save to use your value, or cancel to keep theirs.
            </Alert>
          )}
          <TextInput
            label="Lead limit"
            required
            inputMode="numeric"
            data-autofocus
            value={values.lead_limit}
            error={errors.lead_limit}
            onChange={(event) => change({ lead_limit: event.currentTarget.value })}
          />
          <CapFields values={values} errors={errors} change={change} />
          <FormButtons cancel={close} action="Save" saving={update.isPending} />
        </Stack>
      </form>
    </AppModal>
  );
}

/** The caps and end date that another admin has set meanwhile. */
function theirCaps({ daily_cap, weekly_cap, ends_on }: Caps): string {
  return [
    ...(daily_cap === null ? [] : [`, ${daily_cap} per day`]),
    ...(weekly_cap === null ? [] : [`, ${weekly_cap} per week`]),
    ...(ends_on === null ? [] : [`, end date ${ends_on}`]),
  ].join('');
}

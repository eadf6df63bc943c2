import { Alert, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { formatNumber } from '#shared/rules/formats';
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
  order,
  orderId,
  mine,
  proposed,
  close,
}: DialogInput<'order-limit'>) {
  const dialogs = useDialogs();
  const stored: Values = { lead_limit: String(order.lead_limit), ...capValuesOf(order) };
  const [values, setValues] = useState<Values>(
    mine ?? { ...stored, ...(proposed !== undefined && { lead_limit: proposed }) },
  );
  const [errors, setErrors] = useState<Partial<Record<keyof Values, string>>>({});
  const update = useUpdateLimit(CALLS[orderId === undefined ? 'updateOrderLimit' : 'updateOrderRenewal'][0]);
  const change = (changes: Partial<Values>) => {
    setValues({ ...values, ...changes });
    setErrors({});
  };

  const showErrors = (found: typeof errors) => {
    setErrors(found);
    focusFirstError();
  };

  const refused = async (failed: unknown) => {
    // The dialog keeps what was typed.
    if (isUnreachable(failed)) return;
    const isEdited = failed instanceof ApiError && failed.code === 'edited_meanwhile';
    if (!isEdited && failed instanceof ApiError && failed.fields.lead_limit !== undefined) {
      showErrors({ lead_limit: failed.fields.lead_limit });
      return;
    }
    close();
    if (!isEdited) return;
    dialogs.open('order-limit', {
      buyerId,
      order: await loadBuyer(buyerId),
      mine: values,
      ...(orderId !== undefined && { orderId }),
    });
  };

  const save = (event: FormEvent) => {
    event.preventDefault();
    const { lead_limit } = values;
    const limitError = errorOf(lead_limit, order.leads_received);
    const found = { ...(limitError !== undefined && { lead_limit: limitError }), ...capErrors(values) };
    if (Object.keys(found).length > 0) {
      showErrors(found);
      return;
    }
    const expected = { limit: order.lead_limit, caps: capsOf(capValuesOf(order)) };
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
              The limit is {order.lead_limit} now{theirCaps(order)}. Save to use your value, or cancel to keep
              theirs.
            </Alert>
          )}
          <TextInput
            label="Lead limit"
            description={`${formatNumber(order.leads_received)} delivered`}
            required
            inputMode="numeric"
            data-autofocus
            value={values.lead_limit}
            error={errors.lead_limit}
            onFocus={(event) => event.currentTarget.select()}
            onChange={(event) => change({ lead_limit: event.currentTarget.value })}
          />
          <CapFields values={values} errors={errors} change={change} />
          <FormButtons cancel={close} action="Save" saving={update.isPending} />
        </Stack>
      </form>
    </AppModal>
  );
}

function errorOf(limit: string, delivered: number): string | undefined {
  if (!isCount(limit)) return INVALID.limit;
  return Number(limit) < delivered ? INVALID.limitDelivered(delivered) : undefined;
}

/** The caps and end date that another admin has set meanwhile. */
function theirCaps({ daily_cap, weekly_cap, ends_on }: Caps): string {
  return [
    ...(daily_cap === null ? [] : [`, ${daily_cap} per day`]),
    ...(weekly_cap === null ? [] : [`, ${weekly_cap} per week`]),
    ...(ends_on === null ? [] : [`, end date ${ends_on}`]),
  ].join('');
}

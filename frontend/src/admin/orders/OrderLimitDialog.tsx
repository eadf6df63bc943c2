import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useUpdateLimit } from '../data/buyers';
import { INVALID } from '../texts';
import { AppModal } from '../ui/AppModal';
import { focusFirstError } from '../ui/form';

interface Props {
  readonly buyerId: string;
  readonly limit: number;
  readonly close: () => void;
}

/** Changes the limit of the buyer's open order; the list shows it at once and takes it back if it is refused. */
export function OrderLimitDialog({ buyerId, limit, close }: Props) {
  const [value, setValue] = useState(String(limit));
  const [error, setError] = useState<string>();
  const update = useUpdateLimit();

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
    <AppModal title={`Lead limit of ${buyerId}`} close={close} size="sm">
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
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit">Save</Button>
          </Group>
        </Stack>
      </form>
    </AppModal>
  );
}

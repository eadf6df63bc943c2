import type { DialogInput } from '../dialogs/dialogs';
import '@mantine/core/styles/Radio.css';
import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { SOURCE_STATES } from '#shared/rules/constants';
import { useApiMutation } from '../data/mutation';

import { AppModal } from '../ui/AppModal';
import { FormButtons } from '../ui/FormButtons';
import { STATES } from './source-texts';

export function StateDialog({ source, close }: DialogInput<'source-state'>) {
  const [state, setState] = useState(source.state);
  // As of opening the dialog: another admin may have paused the source meanwhile.
  const [expected] = useState(source.state);
  const update = useApiMutation('updateSource');
  const save = () =>
    update.mutate(
      { params: { sourceId: source.source_id }, body: { state, expected: { state: expected } } },
      { onSuccess: close },
    );
  return (
    <AppModal title={`State of ${source.name}`} close={close} size="md">
      <Stack gap="md">
        <Radio.Group
          label="State"
          value={state}
          onChange={(value) => setState(SOURCE_STATES.find((one) => one === value) ?? state)}
        >
          <Stack gap="sm" mt="xs">
            {SOURCE_STATES.map((value) => (
              <Radio key={value} value={value} label={STATES[value].text} description={STATES[value].about} />
            ))}
          </Stack>
        </Radio.Group>
        <FormButtons
          cancel={close}
          action="Save State"
          onAction={save}
          saving={update.isPending}
          blocked={state === expected}
        />
      </Stack>
    </AppModal>
  );
}

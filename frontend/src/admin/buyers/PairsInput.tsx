import { TextInput } from '@mantine/core';
import type { Pair } from '#shared/rules/http-request';
import classes from './BuyerForm.module.css';
import { EntriesInput, type EntriesProps } from './EntriesInput';

/** Names with a value each. */
export function PairsInput(props: EntriesProps<Pair>) {
  return (
    <EntriesInput
      {...props}
      noun="entry"
      empty={{ name: '', value: '' }}
      className={classes.entry}
      labelOf={(index) => `${props.label} ${index + 1}`}
    >
      {(pair, change, remove, index) => (
        <>
          <TextInput
            aria-label={`Name ${index + 1}`}
            placeholder="Name"
            value={pair.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <TextInput
            aria-label={`Value ${index + 1}`}
            placeholder="Value"
            value={pair.value}
            onChange={(event) => change({ value: event.currentTarget.value })}
          />
          {remove}
        </>
      )}
    </EntriesInput>
  );
}

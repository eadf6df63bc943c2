import { Button, Input, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Pair } from '#shared/rules/http-request';
import { IconButton } from '../ui/IconButton';
import classes from './BuyerForm.module.css';

interface Props {
  readonly label: string;
  readonly maxEntries: number;
  readonly pairs: readonly Pair[];
  readonly onChange: (pairs: Pair[]) => void;
  readonly error: ReactNode;
}

/** Names with a value each. */
export function PairsInput({ label, maxEntries, pairs, onChange, error }: Props) {
  const change = (index: number, part: Partial<Pair>) =>
    onChange(pairs.map((pair, place) => (place === index ? { ...pair, ...part } : pair)));
  return (
    <Input.Wrapper mt="sm" label={label} labelElement="div" error={error}>
      {pairs.map((pair, index) => (
        // oxlint-disable-next-line no-array-index-key -- an entry is known by its place
        <div key={index} className={classes.entry} role="group" aria-label={`${label} ${index + 1}`}>
          <TextInput
            aria-label={`Name ${index + 1}`}
            placeholder="Name"
            value={pair.name}
            onChange={(event) => change(index, { name: event.currentTarget.value })}
          />
          <TextInput
            aria-label={`Value ${index + 1}`}
            placeholder="Value"
            value={pair.value}
            onChange={(event) => change(index, { value: event.currentTarget.value })}
          />
          <IconButton
            label={`Remove entry ${index + 1}`}
            icon={<IconTrash size={16} />}
            danger
            onClick={() => onChange(pairs.filter((_, place) => place !== index))}
          />
        </div>
      ))}
      <div>
        <Button
          mt="xs"
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          disabled={pairs.length >= maxEntries}
          onClick={() => onChange([...pairs, { name: '', value: '' }])}
        >
          Add entry
        </Button>
      </div>
    </Input.Wrapper>
  );
}

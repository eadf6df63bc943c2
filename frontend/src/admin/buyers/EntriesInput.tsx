import { Button, Input } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { IconButton } from '../ui/IconButton';

export interface EntriesProps<Entry> {
  readonly label: string;
  readonly maxEntries: number;
  readonly entries: readonly Entry[];
  readonly onChange: (entries: Entry[]) => void;
  readonly error: ReactNode;
}

interface Props<Entry> extends EntriesProps<Entry> {
  readonly description?: string | undefined;
  /** The name of an entry: "rule". */
  readonly noun: string;
  readonly empty: Entry;
  readonly className: string | undefined;
  readonly labelOf: (index: number) => string;
  /** The fields of an entry, and its buttons before "Remove". */
  readonly children: (
    entry: Entry,
    change: (part: Partial<Entry>) => void,
    remove: ReactNode,
    index: number,
  ) => ReactNode;
}

/** A list whose entries are added, changed and removed. */
export function EntriesInput<Entry>({
  label,
  description,
  maxEntries,
  entries,
  onChange,
  error,
  noun,
  empty,
  className,
  labelOf,
  children,
}: Props<Entry>) {
  const change = (index: number, part: Partial<Entry>) =>
    onChange(entries.map((entry, place) => (place === index ? { ...entry, ...part } : entry)));
  const removeButton = (index: number) => (
    <IconButton
      label={`Remove ${noun} ${index + 1}`}
      icon={IconTrash}
      danger
      onClick={() => onChange(entries.filter((_, place) => place !== index))}
    />
  );
  return (
    <Input.Wrapper mt="sm" label={label} labelElement="div" description={description} error={error}>
      {entries.map((entry, index) => (
        // oxlint-disable-next-line no-array-index-key -- an entry is known by its place
        <div key={index} className={className} role="group" aria-label={labelOf(index)}>
          {children(entry, (part) => change(index, part), removeButton(index), index)}
        </div>
      ))}
      <div>
        <Button
          mt="xs"
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          disabled={entries.length >= maxEntries}
          onClick={() => onChange([...entries, empty])}
        >
          Add {noun}
        </Button>
      </div>
    </Input.Wrapper>
  );
}

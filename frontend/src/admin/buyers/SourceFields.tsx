import { Checkbox, NativeSelect, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { MAX_LISTED_SOURCES } from '#shared/rules/constants';
import { useSources } from '../data/sources';
import classes from './SourceFields.module.css';
import type { SourceValues } from './source-values';

interface Props {
  readonly values: SourceValues;
  readonly onChange: (values: SourceValues) => void;
  readonly error?: ReactNode;
  readonly size?: 'xs' | 'sm';
}

const LISTS = ['sources_allowed', 'sources_excluded'] as const;
const NONE: SourceValues = { sources_allowed: null, sources_excluded: null };

/** The sources whose leads a buyer takes. */
export function SourceFields({ values, onChange, error, size = 'sm' }: Props) {
  const { data: sources } = useSources();
  const list = LISTS.find((name) => values[name] !== null);
  const chosen = (list && values[list]) ?? [];
  // A number stays selectable while its source is not loaded.
  const unknown = chosen.filter((source) => !sources?.some(({ source_id }) => source_id === source));
  const choices = [
    ...(sources ?? []).map(({ source_id, name, state }) => ({
      source: source_id,
      label: state === 'live' ? name : `${name} (${state})`,
    })),
    ...unknown.map((source) => ({ source, label: `Source ${source}` })),
  ];
  const isFull = chosen.length >= MAX_LISTED_SOURCES;
  return (
    <div>
      <NativeSelect
        mt="md"
        size={size}
        label="Sources"
        value={list ?? ''}
        data={[
          { value: '', label: 'Every source' },
          { value: 'sources_allowed', label: 'Only these sources' },
          { value: 'sources_excluded', label: 'All sources except' },
        ]}
        onChange={({ currentTarget: { value } }) => {
          const next = LISTS.find((name) => name === value);
          onChange({ ...NONE, ...(next && { [next]: chosen }) });
        }}
      />
      {list !== undefined && (
        <Checkbox.Group
          mt="xs"
          size={size}
          label="Chosen sources"
          value={chosen.map(String)}
          onChange={(those) =>
            onChange({ ...NONE, [list]: those.map(Number).toSorted((one, other) => one - other) })
          }
          error={error}
          description={
            list === 'sources_allowed'
              ? 'Leads without a source, for example entered by an admin, go to other buyers.'
              : 'Leads without a source, for example entered by an admin, are not affected.'
          }
        >
          <Stack gap="xs" mt="xs" className={classes.list}>
            {choices.map(({ source, label }) => (
              <Checkbox
                key={source}
                size={size}
                value={String(source)}
                label={label}
                disabled={isFull && !chosen.includes(source)}
              />
            ))}
            {choices.length === 0 && <Text size="sm">There are no sources yet.</Text>}
          </Stack>
        </Checkbox.Group>
      )}
    </div>
  );
}

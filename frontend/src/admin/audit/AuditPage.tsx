import { Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { FilterChips } from '../ui/FilterChips';
import { oneOf, useUrlState } from '../ui/url-state';
import { AuditEntries } from './AuditEntries';

const DEFAULTS = { kind: '', entity: '', id: '' };
const KINDS = ['', 'accesses'] as const;
const ENTITIES = ['', 'buyer', 'order', 'lead', 'claim', 'template', 'source', 'setting', 'admin'] as const;

/** Two lists: who changed what, and who viewed what. */
export function AuditPage() {
  const [state, change] = useUrlState(DEFAULTS);
  const entity = oneOf(state.entity, ENTITIES);
  const [id] = useDebouncedValue(state.id.trim(), 250);
  const accesses = oneOf(state.kind, KINDS) === 'accesses';

  return (
    <Stack gap="sm">
      <Group align="flex-end" gap="sm">
        <NativeSelect
          size="xs"
          label="Show"
          value={accesses ? 'accesses' : ''}
          data={[
            { value: '', label: 'Changes' },
            { value: 'accesses', label: 'Access' },
          ]}
          onChange={(event) => change({ kind: event.currentTarget.value })}
        />
        <NativeSelect
          size="xs"
          label="Object"
          value={entity}
          data={ENTITIES.map((name) => ({
            value: name,
            label: name === '' ? 'Everything' : capitalised(name),
          }))}
          onChange={(event) => change({ entity: event.currentTarget.value, id: '' })}
        />
        <TextInput
          size="xs"
          type="search"
          label="Object ID"
          placeholder={entity === '' ? 'Choose an object first' : 'Any'}
          disabled={entity === ''}
          maxLength={100}
          value={state.id}
          onChange={(event) => change({ id: event.currentTarget.value })}
        />
      </Group>
      <FilterChips
        filters={[
          { name: 'Show', value: accesses ? 'Access' : '', remove: () => change({ kind: '' }) },
          {
            name: accesses ? 'At' : 'Changed',
            value: capitalised(entity),
            remove: () => change({ entity: '', id: '' }),
          },
          { name: 'ID', value: entity === '' ? '' : state.id.trim(), remove: () => change({ id: '' }) },
        ]}
      />
      <AuditEntries
        kind={accesses ? 'accesses' : 'changes'}
        entity={entity === '' ? undefined : entity}
        id={entity === '' ? '' : id}
      />
    </Stack>
  );
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

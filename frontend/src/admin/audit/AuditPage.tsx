import { Group, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { AUDITED } from '#shared/rules/constants';
import { FilterChips } from '../ui/FilterChips';
import { FilterField, SelectField } from '../ui/FilterFields';
import { oneOf, useUrlState } from '../ui/url-state';
import { AuditEntries } from './AuditEntries';

const DEFAULTS = { kind: '', entity: '', id: '' };
const KINDS = ['', 'accesses'] as const;
const ENTITIES = ['', ...AUDITED] as const;

/** Two lists: who changed what, and who viewed what. */
export function AuditPage() {
  const [state, change] = useUrlState(DEFAULTS);
  const entity = oneOf(state.entity, ENTITIES);
  const [id] = useDebouncedValue(state.id.trim(), 250);
  const accesses = oneOf(state.kind, KINDS) === 'accesses';

  return (
    <Stack gap="sm">
      <Group align="flex-end" gap="sm">
        <SelectField
          label="Show"
          value={accesses ? 'accesses' : ''}
          options={[
            ['', 'Changes'],
            ['accesses', 'Access'],
          ]}
          choose={(kind) => change({ kind })}
        />
        <SelectField
          label="Object"
          value={entity}
          options={ENTITIES.map((name) => [name, name === '' ? 'Everything' : capitalised(name)])}
          choose={(entity) => change({ entity, id: '' })}
        />
        <FilterField
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

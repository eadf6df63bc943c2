import { Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo } from 'react';
import { formatDateTime } from '#shared/rules/formats';
import { type AuditEntry, useAudit } from '../data/audit';
import { useTemplates } from '../data/settings';
import { type Column, column, DataTable } from '../ui/DataTable';
import { FilterChips } from '../ui/FilterChips';
import { LoadMoreButton } from '../ui/LoadMoreButton';
import { countOf } from '../ui/labels';
import { NameText } from '../ui/NameText';
import { EmptyState, QueryResult } from '../ui/states';
import { TextLink } from '../ui/TextLink';
import { oneOf, useUrlState } from '../ui/url-state';
import classes from './AuditPage.module.css';
import { type AuditChange, changeText, PENDING_LEADS, subjectText } from './audit-texts';

const DEFAULTS = { kind: '', entity: '', id: '' };
const KINDS = ['', 'accesses'] as const;
const ENTITIES = ['', 'buyer', 'order', 'lead', 'claim', 'template', 'source', 'setting', 'admin'] as const;

/** Two lists: who changed what, and who viewed what. */
export function AuditPage() {
  const [state, change] = useUrlState(DEFAULTS);
  const entity = oneOf(state.entity, ENTITIES);
  const [id] = useDebouncedValue(state.id.trim(), 250);
  const accesses = oneOf(state.kind, KINDS) === 'accesses';
  const audit = useAudit(
    accesses ? 'accesses' : 'changes',
    entity === '' ? undefined : entity,
    entity === '' ? '' : id,
  );

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
      <QueryResult query={audit} what="The audit trail">
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.entries);
          return (
            <>
              {rows.length === 0 ? (
                <EmptyState
                  title="No entries"
                  hint={
                    accesses
                      ? 'Leads, exports and buyer links that an admin opened appear here, each once a day.'
                      : 'Every change made by an admin appears here.'
                  }
                />
              ) : (
                <DataTable
                  label="Audit trail"
                  columns={accesses ? columns.filter(({ key }) => key !== 'Changes') : columns}
                  rows={rows.map((entry, index) => ({ entry, index }))}
                  rowKey={({ index }) => index}
                  cards
                />
              )}
              <LoadMoreButton query={audit} />
            </>
          );
        }}
      </QueryResult>
    </Stack>
  );
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface Row {
  readonly entry: AuditEntry;
  readonly index: number;
}

const columns: readonly Column<Row>[] = [
  column('When', 140, ({ entry }) => formatDateTime(new Date(entry.at))),
  column('Who', 110, ({ entry }) => <NameText text={entry.who} />, { grows: true }),
  column('Action', 130, ({ entry }) => entry.action.replaceAll('_', ' ')),
  column('What', 180, ({ entry }) => <Subject entry={entry} />, { grows: true }),
  column('Changes', 390, ({ entry }) => <Changes changes={entry.changes} />, { grows: true }),
];

/** One line that expands if there are details. */
function Changes({ changes }: { changes: readonly AuditChange[] }) {
  const { data: templates } = useTemplates();
  const names = useMemo(() => new Map(templates?.map(({ id, name }) => [id, name])), [templates]);
  const [first, ...others] = changes.map((change) => changeText(change, names));
  if (first === undefined) return '–';
  return (
    <details className={classes.changes}>
      <summary>
        {others.length > 0 && <strong>{countOf(changes.length, 'change')}: </strong>}
        <span>{first}</span>
      </summary>
      {others.map((text) => (
        <div key={text}>{text}</div>
      ))}
    </details>
  );
}

function Subject({ entry }: { entry: AuditEntry }) {
  const text = subjectText(entry);
  const link = linkOf(entry);
  const name = <NameText text={text} />;
  return link === undefined ? name : <TextLink to={link}>{name}</TextLink>;
}

function linkOf({ entity, entity_id }: AuditEntry): string | undefined {
  switch (entity) {
    case 'buyer':
      return `/dashboard?q=${encodeURIComponent(entity_id)}&inactive=1`;
    case 'order':
      return `/dashboard?q=${encodeURIComponent(`order ${entity_id}`)}&inactive=1`;
    case 'lead':
      return entity_id === PENDING_LEADS ? '/dashboard/ineligible-leads' : `/dashboard/leads/${entity_id}`;
    default:
      return undefined;
  }
}

import { Button, Group, Stack, Text } from '@mantine/core';
import {
  IconCode,
  IconEdit,
  IconFileImport,
  IconKey,
  IconToggleLeft,
  IconWebhook,
} from '@tabler/icons-react';
import { Suspense, useMemo, useState } from 'react';
import { formatNumber } from '#shared/rules/formats';
import { lazyComponent } from '../../ui/lazy-component';
import { type Source, useSources } from '../data/sources';
import { type Column, DataTable } from '../ui/DataTable';
import { IconButton } from '../ui/IconButton';
import { countOf } from '../ui/labels';
import { EmptyState, ListSkeleton, QueryResult } from '../ui/states';
import { Tag } from '../ui/Tag';
import { usedText } from './key-texts';
import { STATES } from './source-texts';

const SourceDialog = lazyComponent(async () => (await import('./SourceDialog')).SourceDialog);
const StateDialog = lazyComponent(async () => (await import('./StateDialog')).StateDialog);
const KeysDialog = lazyComponent(async () => (await import('./KeysDialog')).KeysDialog);
const FormDialog = lazyComponent(async () => (await import('./FormDialog')).FormDialog);
const SilentSources = lazyComponent(async () => (await import('./SilentSources')).SilentSources);
const SourceFigures = lazyComponent(async () => (await import('./SourceFigures')).SourceFigures);
const CallbacksDialog = lazyComponent(
  async () => (await import('./callbacks/CallbacksDialog')).CallbacksDialog,
);
const ImportDialog = lazyComponent(async () => (await import('./import/ImportDialog')).ImportDialog);

type Open =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit' | 'state' | 'keys' | 'import' | 'callbacks'; readonly source: Source }
  | { readonly kind: 'form'; readonly source: Source; readonly key?: string };

/** Who posts leads by key, or sends them in files. */
export function SourcesPage() {
  const sources = useSources();
  const [open, setOpen] = useState<Open>();
  const columns = useMemo(() => [...FACTS, actions(setOpen)], []);
  const add = (
    <Button size="xs" onClick={() => setOpen({ kind: 'add' })}>
      Add Source
    </Button>
  );
  return (
    <Stack gap="sm">
      <Suspense fallback={null}>
        <SilentSources />
      </Suspense>
      <QueryResult
        query={sources}
        skeleton={<ListSkeleton cards />}
        errorTitle="The sources could not be loaded"
      >
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState
              title="No sources yet"
              hint="A source is a landing page, an affiliate or a file that leads come from. It posts them by a key of its own, first in test, within limits that you set."
              action={add}
            />
          ) : (
            <>
              <Group justify="space-between" gap="sm">
                <Text size="sm" c="dimmed" role="status">
                  {countOf(rows.length, 'source')}
                </Text>
                {add}
              </Group>
              <DataTable
                label="Sources"
                columns={columns}
                rows={rows}
                rowKey={({ source_id }) => source_id}
                cards
              />
              <Suspense fallback={<ListSkeleton cards />}>
                <SourceFigures />
              </Suspense>
            </>
          )
        }
      </QueryResult>
      <Suspense fallback={null}>
        {open && <OpenDialog open={open} show={setOpen} close={() => setOpen(undefined)} />}
      </Suspense>
    </Stack>
  );
}

interface OpenProps {
  readonly open: Open;
  readonly show: (open: Open) => void;
  readonly close: () => void;
}

function OpenDialog({ open, show, close }: OpenProps) {
  switch (open.kind) {
    case 'add':
      return <SourceDialog close={close} />;
    case 'edit':
      return <SourceDialog source={open.source} close={close} />;
    case 'state':
      return <StateDialog source={open.source} close={close} />;
    case 'keys':
      return (
        <KeysDialog
          source={open.source}
          showForm={(key) => show({ kind: 'form', source: open.source, key })}
          close={close}
        />
      );
    case 'callbacks':
      return <CallbacksDialog source={open.source} close={close} />;
    case 'import':
      return <ImportDialog source={open.source} close={close} />;
    case 'form':
      return (
        <FormDialog
          source={open.source}
          {...(open.key !== undefined && { initialKey: open.key })}
          close={close}
        />
      );
  }
}

/** `12 of 1.000`, or `12` without a limit. */
const countText = (count: number, limit: number | null) =>
  limit === null ? formatNumber(count) : `${formatNumber(count)} of ${formatNumber(limit)}`;

const FACTS: readonly Column<Source>[] = [
  {
    key: 'name',
    title: 'Name',
    width: 150,
    grows: true,
    cell: ({ name }) => (
      <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
    ),
  },
  { key: 'src', title: 'src', width: 110, cell: ({ src }) => src },
  {
    key: 'state',
    title: 'State',
    width: 85,
    cell: ({ state }) => <Tag tone={STATES[state].tone}>{STATES[state].text}</Tag>,
  },
  {
    key: 'today',
    title: 'Today',
    width: 100,
    align: 'right',
    cell: ({ today, per_day }) => countText(today, per_day),
  },
  {
    key: 'total',
    title: 'Total',
    width: 110,
    align: 'right',
    cell: ({ total, in_total }) => countText(total, in_total),
  },
  { key: 'keys', title: 'Keys', width: 220, cell: ({ keys }) => <Keys keys={keys} /> },
  {
    key: 'window',
    title: 'Window',
    width: 80,
    cell: ({ window_days }) => (window_days === 0 ? 'Off' : countOf(window_days, 'day')),
  },
];

function Keys({ keys }: Pick<Source, 'keys'>) {
  if (keys.length === 0) return 'No key';
  return keys.map((key) => (
    <div key={key.slot}>
      {key.prefix}…
      <Text size="xs" c="dimmed">
        {usedText(key)}
      </Text>
    </div>
  ));
}

const actions = (open: (open: Open) => void): Column<Source> => ({
  key: 'actions',
  title: 'Actions',
  width: 225,
  pinned: true,
  cell: (source) => (
    <Group gap={4} wrap="nowrap">
      <IconButton
        label={`Edit ${source.name}`}
        icon={<IconEdit size={16} />}
        onClick={() => open({ kind: 'edit', source })}
      />
      <IconButton
        label={`Change state of ${source.name}`}
        icon={<IconToggleLeft size={16} />}
        onClick={() => open({ kind: 'state', source })}
      />
      <IconButton
        label={`Keys of ${source.name}`}
        icon={<IconKey size={16} />}
        onClick={() => open({ kind: 'keys', source })}
      />
      <IconButton
        label={`Form for ${source.name}`}
        icon={<IconCode size={16} />}
        onClick={() => open({ kind: 'form', source })}
      />
      <IconButton
        label={`Import leads of ${source.name}`}
        icon={<IconFileImport size={16} />}
        onClick={() => open({ kind: 'import', source })}
      />
      <IconButton
        label={`Callbacks of ${source.name}`}
        icon={<IconWebhook size={16} />}
        onClick={() => open({ kind: 'callbacks', source })}
      />
    </Group>
  ),
});

import { Button, Group, Stack, Text } from '@mantine/core';
import {
  IconCode,
  IconEdit,
  IconFileImport,
  IconKey,
  IconToggleLeft,
  IconWebhook,
} from '@tabler/icons-react';
import { Suspense } from 'react';
import { formatDate, formatNumber } from '#shared/rules/formats';
import { lazyComponent } from '../../ui/lazy-component';
import { Allowed } from '../data/rights';
import { type Source, useSources } from '../data/sources';
import { useDialogs } from '../dialogs/dialogs';
import { actionsColumn, type Column, column, DataTable } from '../ui/DataTable';
import { IconButton } from '../ui/IconButton';
import { countOf } from '../ui/labels';
import { itemName, MenuItems } from '../ui/MenuItems';
import { NameText } from '../ui/NameText';
import { nameColumn } from '../ui/name-column';
import { RowMenu } from '../ui/RowMenu';
import classes from '../ui/rows.module.css';
import { SmallText } from '../ui/SmallText';
import { EmptyState, ListSkeleton, QueryResult } from '../ui/states';
import { Tag } from '../ui/Tag';
import { usedText } from './key-texts';
import { STATES } from './source-texts';

const SilentSources = lazyComponent(async () => (await import('./SilentSources')).SilentSources);
const SourceFigures = lazyComponent(async () => (await import('./SourceFigures')).SourceFigures);

export function SourcesPage() {
  const sources = useSources();
  const dialogs = useDialogs();
  const add = (
    <Allowed to="createSource">
      <Button size="xs" onClick={() => dialogs.open('source', {})}>
        Add Source
      </Button>
    </Allowed>
  );
  return (
    <Stack gap="sm">
      <Suspense fallback={null}>
        <SilentSources />
      </Suspense>
      <QueryResult query={sources} skeleton={<ListSkeleton cards />} what="The sources">
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState
              title="No sources yet"
              hint="A source is a landing page, an affiliate or a file of leads. It posts leads with its own key, first in test mode, within your limits."
              action={add}
            />
          ) : (
            <>
              <Group justify="space-between" gap="sm">
                <Text c="dimmed" role="status">
                  {countOf(rows.length, 'source')}
                </Text>
                {add}
              </Group>
              <DataTable
                label="Sources"
                columns={COLUMNS}
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
    </Stack>
  );
}

/** `12 of 1.000`, or `12` without a limit. */
const countText = (count: number, limit: number | null) =>
  limit === null ? formatNumber(count) : `${formatNumber(count)} of ${formatNumber(limit)}`;

const COLUMNS: readonly Column<Source>[] = [
  nameColumn('Name', 190, ({ name }) => name),
  column('src', 110, ({ src }) => <NameText text={src} />, { grows: true }),
  column('State', 80, ({ state }) => <Tag tone={STATES[state].tone}>{STATES[state].text}</Tag>),
  column('Today', 90, ({ today, per_day }) => countText(today, per_day), { align: 'right' }),
  column('Total', 95, ({ total, in_total }) => countText(total, in_total), { align: 'right' }),
  column('Keys', 190, ({ keys }) => <Keys keys={keys} />, { grows: true }),
  column('Window', 80, ({ window_days }) => (window_days === 0 ? 'Off' : countOf(window_days, 'day'))),
  actionsColumn(112, (source) => <Actions source={source} />),
];

function Keys({ keys }: Pick<Source, 'keys'>) {
  if (keys.length === 0) return 'No key';
  return keys.map((key) => (
    <div key={key.slot} className={classes.inline} title={usedText(key)}>
      <span>{key.prefix}…</span>
      <SmallText truncate="end">
        {key.last_used_at === null ? 'never used' : `used ${formatDate(new Date(key.last_used_at))}`}
      </SmallText>
    </div>
  ));
}

const VISIBLE = [
  { text: 'Edit', needs: 'updateSource', icon: IconEdit, dialog: 'source' },
  { text: 'Keys', joint: 'of', needs: 'createSourceKey', icon: IconKey, dialog: 'source-keys' },
] as const;
const IN_MENU = [
  { text: 'Change state', joint: 'of', needs: 'updateSource', icon: IconToggleLeft, dialog: 'source-state' },
  { text: 'Form', joint: 'for', needs: undefined, icon: IconCode, dialog: 'source-form' },
  { text: 'Import leads', joint: 'of', needs: 'importLeads', icon: IconFileImport, dialog: 'import' },
  { text: 'Callbacks', joint: 'of', needs: undefined, icon: IconWebhook, dialog: 'callbacks' },
] as const;

function Actions({ source }: { readonly source: Source }) {
  const { open } = useDialogs();
  const { name } = source;
  const items = IN_MENU.map(({ dialog, ...item }) => ({ ...item, run: () => open(dialog, { source }) }));
  return (
    <Group gap={2} wrap="nowrap">
      {VISIBLE.map(({ icon, dialog, needs, ...item }) => (
        <IconButton
          key={dialog}
          needs={needs}
          label={itemName(item, name)}
          icon={icon}
          onClick={() => open(dialog, { source })}
        />
      ))}
      <RowMenu of={name}>{(isOpen) => <MenuItems isOpen={isOpen} of={name} items={items} />}</RowMenu>
    </Group>
  );
}

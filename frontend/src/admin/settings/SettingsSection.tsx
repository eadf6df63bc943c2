import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { ListSkeleton, QueryResult, type QueryResultProps } from '../ui/states';

interface Props<Data> extends Pick<QueryResultProps<Data>, 'query' | 'children'> {
  readonly what: string;
  readonly title: string;
  readonly about: string;
  /** Of the skeleton. */
  readonly rows?: number;
  readonly actions?: ReactNode;
  /** Behind a button once the data is loaded. */
  readonly edit?: { readonly label: string; readonly open: (stored: Data) => void };
}

/** A part of the settings with its buttons. */
export function SettingsSection<Data>({
  title,
  about,
  rows = 1,
  actions,
  edit,
  query,
  what,
  children,
}: Props<Data>) {
  const id = useId();
  const { data } = query;
  return (
    <Paper component="section" withBorder p="lg" aria-labelledby={id}>
      <Group justify="space-between" align="flex-start" mb="md" gap="sm">
        <div>
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          <Text c="dimmed">{about}</Text>
        </div>
        <Group gap="xs">
          {actions}
          {edit && (
            <Button size="xs" disabled={!data} onClick={() => data && edit.open(data)}>
              {edit.label}
            </Button>
          )}
        </Group>
      </Group>
      <QueryResult query={query} skeleton={<ListSkeleton rows={rows} />} what={what}>
        {children}
      </QueryResult>
    </Paper>
  );
}

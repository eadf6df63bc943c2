import { Group, Paper, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface Props {
  readonly title: string;
  readonly about: string;
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

/** A part of the settings with its buttons. */
export function SettingsSection({ title, about, actions, children }: Props) {
  const id = useId();
  return (
    <Paper component="section" withBorder p="lg" aria-labelledby={id}>
      <Group justify="space-between" align="flex-start" mb="md" gap="sm">
        <div>
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          <Text c="dimmed">{about}</Text>
        </div>
        <Group gap="xs">{actions}</Group>
      </Group>
      {children}
    </Paper>
  );
}

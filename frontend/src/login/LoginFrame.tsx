import { Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { MantineRoot } from '../app/MantineRoot';
import classes from './LoginFrame.module.css';

/** Every field of these pages is required. */
export const FIELD = { required: true, withAsterisk: false, size: 'md' } as const;

interface Props {
  readonly title: string;
  readonly children: ReactNode;
}

/** A page without a session: a card in the middle. */
export function LoginFrame({ title, children }: Props) {
  return (
    <MantineRoot>
      <title>{`${title} · Lead Distribution`}</title>
      <main className={classes.page}>
        <Paper w="min(420px, 100%)" withBorder shadow="sm" p="xl" radius="lg">
          {children}
        </Paper>
      </main>
    </MantineRoot>
  );
}

export function LoginHead({ title, children }: Props) {
  return (
    <div>
      <img src="/favicon.svg" width={40} height={40} alt="" />
      <Title order={1} size="h2" mt="xs">
        {title}
      </Title>
      {children}
    </div>
  );
}

import { Card, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import classes from './StatCard.module.css';

interface Props {
  readonly title: string;
  /** The screen behind the title. */
  readonly to?: string;
  readonly value?: string;
  /** The value is never cut off, for amounts in the millions: the other cards give way. */
  readonly wide?: boolean;
  /** Only its shape is shown. */
  readonly loading?: boolean;
  /** Below the value, or instead of it. */
  readonly children?: ReactNode;
}

/** A figure with its title. */
export function StatCard({ title, to, value, wide = false, loading = false, children }: Props) {
  const place = wide ? classes.wide : undefined;
  const card = (
    <Card withBorder padding="md" radius="md" className={loading ? undefined : place}>
      <Text size="sm" c="dimmed" fw={500} mb={4}>
        {to === undefined ? (
          title
        ) : (
          <Link to={to} style={{ color: 'var(--mantine-color-anchor)' }}>
            {title}
          </Link>
        )}
      </Text>
      {value !== undefined && (
        <Text fz={26} fw={700} style={{ whiteSpace: 'nowrap' }}>
          {value}
        </Text>
      )}
      {children}
    </Card>
  );
  return loading ? (
    <Skeleton radius="md" className={place}>
      {card}
    </Skeleton>
  ) : (
    card
  );
}

import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import classes from './StatCard.module.css';

interface Props {
  readonly title: string;
  /** The screen that the title links to. */
  readonly to?: string;
  readonly value?: ReactNode;
  /** Never truncates the value, for amounts in the millions; other cards shrink. */
  readonly wide?: boolean;
  /** Shows a placeholder. */
  readonly loading?: boolean;
  /** Below the value, or instead of it. */
  readonly children?: ReactNode;
}

/** A figure with its title. */
export function StatCard({ title, to, value, wide = false, loading = false, children }: Props) {
  const place = wide ? classes.wide : '';
  const card = (
    <div className={loading ? classes.card : `${classes.card} ${place}`}>
      <p className={classes.name}>{to === undefined ? title : <Link to={to}>{title}</Link>}</p>
      {value !== undefined && <p className={classes.value}>{value}</p>}
      {children}
    </div>
  );
  return loading ? <Skeleton className={place}>{card}</Skeleton> : card;
}

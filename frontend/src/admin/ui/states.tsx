import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { errorText } from '../notifications';
import classes from './states.module.css';

interface EmptyStateProps {
  readonly title: string;
  readonly hint?: string;
  readonly action?: ReactNode;
}

/** What a list shows when there is nothing: that this is so, and what to do next. */
export function EmptyState({ title, hint, action }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <Text fw={650} fz="lg">
        {title}
      </Text>
      {hint !== undefined && (
        <Text c="dimmed" size="sm" maw={460}>
          {hint}
        </Text>
      )}
      {action}
    </div>
  );
}

interface ErrorStateProps {
  readonly title?: string;
  readonly error: unknown;
  readonly retry: () => void;
}

/** What a list shows when it could not be loaded. */
export function ErrorState({ title = 'This could not be loaded', error, retry }: ErrorStateProps) {
  return (
    <Alert className={classes.failed} color="red" variant="outline" title={title} role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{errorText(error)}</Text>
        <Button size="xs" variant="default" onClick={retry}>
          Try again
        </Button>
      </Stack>
    </Alert>
  );
}

/** The outline of a list while it is loading. */
export function ListSkeleton({ rows = 8, label = 'Loading...' }: { rows?: number; label?: string }) {
  return (
    <div aria-busy="true">
      <Text size="sm" c="dimmed" mb="sm" role="presentation">
        {label}
      </Text>
      <Stack gap="xs" aria-hidden="true">
        {Array.from({ length: rows }, (_, index) => (
          <Skeleton key={index} height={40} radius="sm" />
        ))}
      </Stack>
    </div>
  );
}

interface QueryResultProps<Data> {
  readonly query: {
    readonly data: Data | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  readonly skeleton?: ReactNode;
  readonly errorTitle?: string;
  readonly children: (data: Data) => ReactNode;
}

/** Skeleton, failure or content of a query. Content that was loaded once stays in sight if a refresh fails. */
export function QueryResult<Data>({ query, skeleton, errorTitle, children }: QueryResultProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error)
    return (
      <ErrorState
        {...(errorTitle !== undefined && { title: errorTitle })}
        error={query.error}
        retry={() => void query.refetch()}
      />
    );
  return skeleton === undefined ? <ListSkeleton /> : skeleton;
}

import { Alert, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { errorText } from '../notifications';
import { HeldKeys } from './HeldKeys';
import classes from './states.module.css';
import { ToolButton } from './ToolButton';

interface EmptyStateProps {
  readonly title: string;
  readonly hint?: string;
  readonly action?: ReactNode;
}

/** Shown by an empty list: that it is empty, and the next step. */
export function EmptyState({ title, hint, action }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <Text fw={650} fz="lg">
        {title}
      </Text>
      {hint !== undefined && (
        <Text c="dimmed" maw={460}>
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

/** Shown if a list could not be loaded. */
export function ErrorState({ title = 'This could not be loaded', error, retry }: ErrorStateProps) {
  return (
    <Alert className={classes.failed} color="red" title={title} role="alert">
      <Stack gap="sm" align="flex-start">
        <Text>{errorText(error)}</Text>
        <ToolButton onClick={retry}>Try again</ToolButton>
      </Stack>
    </Alert>
  );
}

interface SkeletonProps {
  readonly rows?: number;
  readonly label?: string;
  /** The list's rows are cards on a phone. */
  readonly cards?: boolean;
}

/** The outline of a loading list: its toolbar, then a table's header and rows, or cards. */
export function ListSkeleton({ rows = 8, label = 'Loading...', cards = false }: SkeletonProps) {
  return (
    <div aria-busy="true">
      <Text c="dimmed" className={classes.tools} role="presentation">
        {label}
      </Text>
      <div aria-hidden="true" className={cards ? `${classes.rows} ${classes.cards}` : classes.rows}>
        {Array.from({ length: rows + 1 }, (_, index) => (
          <div key={index} className={classes.row}>
            <Skeleton height={14} width={`${WIDTHS_PERCENT[index % WIDTHS_PERCENT.length]}%`} />
          </div>
        ))}
      </div>
    </div>
  );
}

/** Shown while a screen's code is loading. */
export function ScreenSkeleton({ label }: Pick<SkeletonProps, 'label'>) {
  return (
    <>
      <HeldKeys />
      <ListSkeleton {...(label !== undefined && { label })} />
    </>
  );
}

/** Rows of different lengths look like rows of text. */
const WIDTHS_PERCENT = [96, 72, 84, 64, 90];

export interface QueryResultProps<Data> {
  readonly query: {
    readonly data: Data | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  readonly skeleton?: ReactNode;
  /** The subject of the failure's title: "The buyers". */
  readonly what?: string;
  readonly errorTitle?: string;
  readonly children: (data: Data) => ReactNode;
}

/** Skeleton, failure or content of a query. Content that was loaded once stays visible if a refresh fails. */
export function QueryResult<Data>({
  query,
  skeleton,
  what = 'This',
  errorTitle = `${what} could not be loaded`,
  children,
}: QueryResultProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error)
    return <ErrorState title={errorTitle} error={query.error} retry={() => void query.refetch()} />;
  return skeleton === undefined ? <ListSkeleton /> : skeleton;
}

import type { ReactNode } from 'react';
import { ApiError } from '../app/api';
import classes from './AccountPanels.module.css';
import { accountTexts } from './account-texts';
import { failureText } from './failure-text';
import { de } from './messages';
import page from './page.module.css';

interface Props<T> {
  readonly query: {
    readonly data: { readonly answer: T } | undefined;
    readonly error: unknown;
    readonly isFetching: boolean;
    readonly refetch: () => Promise<unknown>;
  };
  readonly children: (answer: T) => ReactNode;
}

export function AccountAnswer<T>({ query: { data, error, isFetching, refetch }, children }: Props<T>) {
  if (data !== undefined) return children(data.answer);
  if (error === null) return <Skeleton />;
  return (
    <div className={classes.failed}>
      <p role="alert">{error instanceof ApiError ? failureText(error) : de.serverFailed}</p>
      <button type="button" className={page.tool} disabled={isFetching} onClick={() => void refetch()}>
        {accountTexts.retry}
      </button>
    </div>
  );
}

export function Skeleton() {
  return (
    <output className={classes.skeleton} aria-label={de.loading}>
      <span />
      <span />
      <span />
    </output>
  );
}

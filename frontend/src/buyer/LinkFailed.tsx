import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isUnknown } from '../app/api';
import { PageButton } from './BuyerFrame';
import { notificationTexts } from './notification-texts';

interface Props {
  readonly query: UseQueryResult;
  /** What to do about a link that is not valid. */
  readonly children: ReactNode;
}

/** Why the page of a link shows nothing, once it is known. */
export function LinkFailed({ query, children }: Props) {
  if (!query.isError) return null;
  if (isUnknown(query.error)) return <p>{children}</p>;
  return (
    <>
      <p role="alert">{notificationTexts.failed}</p>
      <PageButton
        label={notificationTexts.retry}
        busy={query.isFetching}
        press={() => void query.refetch()}
      />
    </>
  );
}

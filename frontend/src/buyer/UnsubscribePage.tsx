import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { ApiError, call } from '../app/api';
import { BuyerFrame, PageButton } from './BuyerFrame';
import { notificationTexts } from './notification-texts';
import classes from './page.module.css';

const TEXT = notificationTexts.unsubscribe;

/** Opening the link changes nothing, because programs open links too. */
export function UnsubscribePage() {
  const { token = '' } = useParams();
  const options = { fallbackText: notificationTexts.failed };
  const asked = useQuery({
    queryKey: ['subscription', token],
    queryFn: ({ signal }) =>
      call('viewSubscription', { params: { subscription: token } }, { ...options, signal }),
  });
  const change = useMutation({
    mutationFn: (on: boolean) =>
      call(on ? 'subscribeAgain' : 'unsubscribe', { params: { subscription: token } }, options),
  });
  const known = change.data ?? asked.data;
  const isUnknown =
    asked.error instanceof ApiError && (asked.error.status === 400 || asked.error.status === 404);
  return (
    <BuyerFrame>
      <title>{TEXT.title}</title>
      <main className={classes.message}>
        <h1>{isUnknown ? TEXT.unknown : TEXT.title}</h1>
        {known === undefined && isUnknown && <p>{TEXT.unknownHint}</p>}
        {known === undefined && !isUnknown && asked.isError && (
          <>
            <p role="alert">{notificationTexts.failed}</p>
            <PageButton
              label={notificationTexts.retry}
              press={() => void asked.refetch()}
              busy={asked.isFetching}
            />
          </>
        )}
        {known !== undefined && (
          <>
            <p role="status">{textOf(notificationTexts.kinds[known.kind], known.on, change.isSuccess)}</p>
            <PageButton
              label={known.on ? TEXT.action : TEXT.again}
              press={() => change.mutate(!known.on)}
              busy={change.isPending}
            />
          </>
        )}
        {change.isError && <p role="alert">{notificationTexts.failed}</p>}
      </main>
    </BuyerFrame>
  );
}

function textOf(kind: string, on: boolean, changed: boolean): string {
  if (!on) return TEXT.off(kind);
  return changed ? TEXT.on(kind) : TEXT.question(kind);
}

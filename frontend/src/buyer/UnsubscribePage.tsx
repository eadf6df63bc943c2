import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { call, isUnknown } from '../app/api';
import { BuyerFrame, PageButton } from './BuyerFrame';
import { LinkFailed } from './LinkFailed';
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
  return (
    <BuyerFrame>
      <title>{TEXT.title}</title>
      <main className={classes.message}>
        <h1>{isUnknown(asked.error) ? TEXT.unknown : TEXT.title}</h1>
        {known === undefined && <LinkFailed query={asked}>{TEXT.unknownHint}</LinkFailed>}
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

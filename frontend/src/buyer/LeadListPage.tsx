import { Suspense, useEffect } from 'react';
import { useParams } from 'wouter';
import { formatDateTime } from '#shared/rules/formats';
import { useDownSince } from '../app/ConnectionBar';
import { lazyComponent } from '../ui/lazy-component';
import { BuyerFrame, PageButton } from './BuyerFrame';
import { LeadList } from './LeadList';
import { isComplete } from './load-view';
import { de } from './messages';
import classes from './page.module.css';
import { codeSentTo, errorText, isUnknownLink, useLeadsView } from './use-leads-view';

const LinkCode = lazyComponent(async () => (await import('./LinkAccess')).LinkCode);
const NewLink = lazyComponent(async () => (await import('./LinkAccess')).NewLink);

/** Only such links can be renewed. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export function LeadListPage() {
  const { token = '' } = useParams();
  return (
    <BuyerFrame>
      <Content key={token} token={token} />
    </BuyerFrame>
  );
}

function LoadingMessage() {
  return (
    <main className={classes.message}>
      <title>{de.loading}</title>
      <output>{de.loading}</output>
    </main>
  );
}

function Content({ token }: { token: string }) {
  const { data, error, dataUpdatedAt, isFetching, refetch } = useLeadsView(token);
  const isDown = useDownSince() !== undefined;
  const isPart = data !== undefined && !isComplete(data);
  useEffect(() => (isPart ? afterPaint(() => void refetch()) : undefined), [isPart, refetch]);

  const address = codeSentTo(error);
  if (address !== undefined)
    return (
      <Suspense fallback={<LoadingMessage />}>
        <LinkCode token={token} email={address} opened={() => void refetch()} />
      </Suspense>
    );
  if (isUnknownLink(error)) {
    return (
      <main className={classes.message}>
        <title>{de.unknownLink.title}</title>
        <h1>{de.unknownLink.title}</h1>
        <p>{de.unknownLink.hint}</p>
        {TOKEN.test(token) && (
          <Suspense fallback={null}>
            <NewLink token={token} />
          </Suspense>
        )}
      </main>
    );
  }
  if (data === undefined && error !== null) {
    return (
      <main className={classes.message}>
        <title>{de.loadFailed.title}</title>
        <h1>{de.loadFailed.title}</h1>
        <p role="alert">{errorText(error)}</p>
        <PageButton label={de.loadFailed.retry} busy={isFetching} press={() => void refetch()} />
      </main>
    );
  }
  if (data === undefined) return <LoadingMessage />;
  return (
    <>
      <title>{de.documentTitle(data.order.buyer_order_number)}</title>
      {error !== null && !isDown && (
        <output data-screen className={classes.stale}>
          {de.stale(formatDateTime(new Date(dataUpdatedAt)))}
        </output>
      )}
      <LeadList token={token} view={data} answeredAt={dataUpdatedAt} />
    </>
  );
}

/** So that the first rows do not wait for the others. */
function afterPaint(task: () => void): () => void {
  let timer: number | undefined;
  const frame = requestAnimationFrame(() => {
    timer = window.setTimeout(task);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

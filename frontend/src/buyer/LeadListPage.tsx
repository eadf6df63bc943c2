import { useEffect, useLayoutEffect } from 'react';
import { useParams } from 'wouter';
import { formatDateTime } from '#shared/rules/formats';
import { LeadList } from './LeadList';
import { isComplete } from './load-view';
import { de } from './messages';
import classes from './page.module.css';
import { errorText, isUnknownLink, useLeadsView } from './use-leads-view';

/** The page behind a buyer's link: no login, in German, for nobody's index. */
export function LeadListPage() {
  const { token = '' } = useParams();
  useLayoutEffect(() => {
    document.documentElement.lang = 'de';
  }, []);
  return (
    <div className={classes.page} lang="de">
      <meta name="robots" content="noindex, nofollow, noarchive" />
      <meta name="referrer" content="no-referrer" />
      <Content key={token} token={token} />
    </div>
  );
}

function Content({ token }: { token: string }) {
  const { data, error, dataUpdatedAt, isFetching, refetch } = useLeadsView(token);
  const isPart = data !== undefined && !isComplete(data);
  useEffect(() => (isPart ? afterPaint(() => void refetch()) : undefined), [isPart, refetch]);

  if (isUnknownLink(error)) {
    return (
      <main className={classes.message}>
        <title>{de.unknownLink.title}</title>
        <h1>{de.unknownLink.title}</h1>
        <p>{de.unknownLink.hint}</p>
      </main>
    );
  }
  if (data === undefined && error !== null) {
    return (
      <main className={classes.message}>
        <title>{de.loadFailed.title}</title>
        <h1>{de.loadFailed.title}</h1>
        <p role="alert">{errorText(error)}</p>
        <button type="button" className={classes.retry} disabled={isFetching} onClick={() => void refetch()}>
          {de.loadFailed.retry}
        </button>
      </main>
    );
  }
  if (data === undefined) {
    return (
      <main className={classes.message}>
        <title>{de.loading}</title>
        <output>{de.loading}</output>
      </main>
    );
  }
  return (
    <>
      <title>{de.documentTitle(data.order.buyer_order_number)}</title>
      {error !== null && (
        <output className={classes.stale}>{de.stale(formatDateTime(new Date(dataUpdatedAt)))}</output>
      )}
      <LeadList token={token} view={data} answeredAt={dataUpdatedAt} />
    </>
  );
}

/** Does something when what is drawn now can be seen: the first rows do not wait for the others. */
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

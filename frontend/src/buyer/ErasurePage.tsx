import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useLayoutEffect } from 'react';
import { useParams } from 'wouter';
import type { Answer } from '#shared/contract/schemas';
import { formatDateTime } from '#shared/rules/formats';
import { ApiError, call } from '../app/api';
import classes from './page.module.css';

const TEXT = {
  title: 'Löschung bestätigen',
  failed: 'Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.',
} as const;

/** Where a buyer confirms that it has erased a person: by the link of its letter, without a login. */
export function ErasurePage() {
  const { token = '' } = useParams();
  useLayoutEffect(() => {
    document.documentElement.lang = 'de';
  }, []);
  const asked = useQuery({
    queryKey: ['erasure', token],
    queryFn: ({ signal }) =>
      call('viewErasureConfirmation', { params: { token } }, { fallbackText: TEXT.failed, signal }),
  });
  const confirm = useMutation({
    mutationFn: () => call('confirmErasure', { params: { token } }, { fallbackText: TEXT.failed }),
  });
  return (
    <div className={classes.page} lang="de">
      <meta name="robots" content="noindex, nofollow, noarchive" />
      <meta name="referrer" content="no-referrer" />
      <title>{TEXT.title}</title>
      <main className={classes.message}>
        <Content
          data={confirm.data ?? asked.data}
          error={asked.error}
          retry={
            <button
              type="button"
              className={classes.retry}
              disabled={asked.isFetching}
              onClick={() => void asked.refetch()}
            >
              Erneut versuchen
            </button>
          }
          confirm={
            <>
              <button
                type="button"
                className={classes.retry}
                disabled={confirm.isPending}
                onClick={() => confirm.mutate()}
              >
                Wir haben diese Daten gelöscht
              </button>
              {confirm.error !== null && <p role="alert">{TEXT.failed}</p>}
            </>
          }
        />
      </main>
    </div>
  );
}

interface ContentProps {
  readonly data: Answer<'viewErasureConfirmation'> | undefined;
  readonly error: Error | null;
  readonly retry: ReactNode;
  readonly confirm: ReactNode;
}

function Content({ data, error, retry, confirm }: ContentProps) {
  if (data === undefined && error !== null) {
    const isUnknown = error instanceof ApiError && (error.status === 400 || error.status === 404);
    return (
      <>
        <h1>{isUnknown ? 'Dieser Link ist nicht gültig' : TEXT.failed}</h1>
        {isUnknown ? <p>Bitte nehmen Sie den Link aus unserer letzten E-Mail.</p> : retry}
      </>
    );
  }
  if (data === undefined) return <output>Wird geladen …</output>;
  const { leads, confirmed_at } = data;
  return (
    <>
      <h1>{confirmed_at === null ? TEXT.title : 'Vielen Dank'}</h1>
      <p role="status">
        {confirmed_at === null
          ? 'Eine Person hat die Löschung ihrer Daten verlangt. Bitte löschen Sie alles, was Sie zu diesen Leads gespeichert haben, und bestätigen Sie es hier:'
          : `Die Löschung wurde am ${formatDateTime(new Date(confirmed_at))} bestätigt. Es betraf:`}
      </p>
      <ul>
        {leads.map(({ number, delivered_at }) => (
          <li key={number}>
            Lead {number}, geliefert am {formatDateTime(new Date(delivered_at))}
          </li>
        ))}
      </ul>
      {confirmed_at === null && confirm}
    </>
  );
}

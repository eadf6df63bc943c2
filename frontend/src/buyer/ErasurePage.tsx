import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import type { Answer } from '#shared/contract/schemas';
import { formatDateTime } from '#shared/rules/formats';
import { call, isUnknown } from '../app/api';
import { BuyerFrame, PageButton } from './BuyerFrame';
import classes from './page.module.css';

const TEXT = {
  notLoaded: 'Die Seite konnte nicht geladen werden. Bitte versuchen Sie es noch einmal.',
  notConfirmed: 'Die Bestätigung konnte nicht gespeichert werden. Bitte versuchen Sie es noch einmal.',
} as const;

const ASKED = {
  erasure: {
    title: 'Löschung bestätigen',
    text: 'Eine Person hat die Löschung ihrer Daten verlangt. Bitte löschen Sie alles, was Sie zu diesen Leads gespeichert haben, und bestätigen Sie das hier:',
    button: 'Wir haben diese Daten gelöscht',
    done: 'Die Löschung wurde',
  },
  withdrawal: {
    title: 'Widerruf bestätigen',
    text: 'Eine Person hat ihre Einwilligung widerrufen. Bitte rufen Sie sie nicht mehr an und schreiben Sie ihr nicht mehr. Es geht um diese Leads:',
    button: 'Wir kontaktieren diese Person nicht mehr',
    done: 'Der Widerruf wurde',
  },
} as const;

/** Where a buyer confirms an erasure or a withdrawal of consent, by the link in the e-mail. */
export function ErasurePage() {
  const { token = '' } = useParams();
  const asked = useQuery({
    queryKey: ['erasure', token],
    queryFn: ({ signal }) =>
      call('viewErasureConfirmation', { params: { token } }, { fallbackText: TEXT.notLoaded, signal }),
  });
  const confirm = useMutation({
    mutationFn: () => call('confirmErasure', { params: { token } }, { fallbackText: TEXT.notConfirmed }),
  });
  const purpose = asked.data?.purpose ?? 'erasure';
  return (
    <BuyerFrame>
      <title>{ASKED[purpose].title}</title>
      <main className={classes.message}>
        <Content
          data={confirm.data ?? asked.data}
          error={asked.error}
          retry={
            <PageButton label="Erneut versuchen" busy={asked.isFetching} press={() => void asked.refetch()} />
          }
          confirm={
            <>
              <PageButton
                label={ASKED[purpose].button}
                busy={confirm.isPending}
                press={() => confirm.mutate()}
              />
              {confirm.error !== null && <p role="alert">{TEXT.notConfirmed}</p>}
            </>
          }
        />
      </main>
    </BuyerFrame>
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
    return (
      <>
        <h1>{isUnknown(error) ? 'Dieser Link zur Bestätigung ist nicht gültig' : TEXT.notLoaded}</h1>
        {isUnknown(error) ? <p>Bitte verwenden Sie den Link aus unserer letzten E-Mail.</p> : retry}
      </>
    );
  }
  if (data === undefined) return <output>Wird geladen …</output>;
  const { purpose, leads, confirmed_at } = data;
  return (
    <>
      <h1>{confirmed_at === null ? ASKED[purpose].title : 'Vielen Dank'}</h1>
      <p role="status">
        {confirmed_at === null
          ? ASKED[purpose].text
          : `${ASKED[purpose].done} am ${formatDateTime(new Date(confirmed_at))} bestätigt. Betroffene Leads:`}
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

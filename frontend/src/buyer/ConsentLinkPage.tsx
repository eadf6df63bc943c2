import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import type { ConsentLink } from '#shared/rules/consent';
import { formatDateTime } from '#shared/rules/formats';
import { ApiError, call } from '../app/api';
import { BuyerFrame, PageButton } from './BuyerFrame';
import { notificationTexts } from './notification-texts';
import classes from './page.module.css';

const TEXTS: Readonly<Record<ConsentLink, Readonly<Record<'title' | 'text' | 'button' | 'done', string>>>> = {
  withdraw: {
    title: 'Einwilligung widerrufen',
    text: 'Sie haben eingewilligt, dass Sie zu Ihrer Anfrage kontaktiert werden. Diese Einwilligung können Sie hier widerrufen. Sie gilt dann für alle Anfragen mit Ihrer Telefonnummer oder E-Mail-Adresse nicht mehr.',
    button: 'Einwilligung widerrufen',
    done: 'Ihre Einwilligung ist widerrufen. Wir geben Ihre Anfrage nicht mehr weiter. Alle, die sie bereits erhalten haben, werden benachrichtigt und müssen bestätigen, dass sie Sie nicht mehr kontaktieren.',
  },
};

/** A person's own link about the consent. Opening it changes nothing, because programs open links too. */
export function ConsentLinkPage() {
  const { token = '' } = useParams();
  const options = { fallbackText: notificationTexts.failed };
  const asked = useQuery({
    queryKey: ['consent-link', token],
    queryFn: ({ signal }) => call('viewConsentLink', { params: { token } }, { ...options, signal }),
  });
  const follow = useMutation({
    mutationFn: () => call('followConsentLink', { params: { token } }, options),
  });
  const known = follow.data ?? asked.data;
  const texts = TEXTS[known?.purpose ?? 'withdraw'];
  const isUnknown =
    asked.error instanceof ApiError && (asked.error.status === 400 || asked.error.status === 404);
  const doneAt = known?.done_at ?? null;
  return (
    <BuyerFrame>
      <title>{texts.title}</title>
      <main className={classes.message}>
        <h1>{isUnknown ? 'Dieser Link gilt nicht' : texts.title}</h1>
        {isUnknown && (
          <p>Bitte öffnen Sie den Link aus Ihrer Bestätigung, oder wenden Sie sich an den Anbieter.</p>
        )}
        {known === undefined && !isUnknown && !asked.isError && <output>Wird geladen …</output>}
        {known === undefined && !isUnknown && asked.isError && (
          <>
            <p role="alert">{notificationTexts.failed}</p>
            <PageButton
              label={notificationTexts.retry}
              busy={asked.isFetching}
              press={() => void asked.refetch()}
            />
          </>
        )}
        {known !== undefined && (
          <p role="status">
            {doneAt === null ? texts.text : `${texts.done} (${formatDateTime(new Date(doneAt))})`}
          </p>
        )}
        {known !== undefined && doneAt === null && (
          <PageButton label={texts.button} busy={follow.isPending} press={() => follow.mutate()} />
        )}
        {follow.isError && <p role="alert">{notificationTexts.failed}</p>}
      </main>
    </BuyerFrame>
  );
}

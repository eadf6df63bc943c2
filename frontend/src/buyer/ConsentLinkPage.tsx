import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import type { ConsentLink, ConsentLinkState } from '#shared/rules/consent';
import { formatDateTime } from '#shared/rules/formats';
import { call, isUnknown } from '../app/api';
import { BuyerFrame, PageButton } from './BuyerFrame';
import { LinkFailed } from './LinkFailed';
import { notificationTexts } from './notification-texts';
import classes from './page.module.css';

/** Of the button, and by state. */
type Texts = Readonly<Record<'title' | 'button' | ConsentLinkState, string>>;

const TEXTS: Readonly<Record<ConsentLink, Texts>> = {
  withdraw: {
    title: 'Einwilligung widerrufen',
    button: 'Einwilligung widerrufen',
    open: 'Sie haben eingewilligt, dass Sie zu Ihrer Anfrage kontaktiert werden. Diese Einwilligung können Sie hier widerrufen. Sie gilt dann für alle Anfragen mit derselben Telefonnummer und E-Mail-Adresse nicht mehr.',
    done: 'Ihre Einwilligung ist widerrufen. Wir geben Ihre Anfrage nicht mehr weiter. Alle, die sie bereits erhalten haben, werden benachrichtigt und müssen bestätigen, dass sie Sie nicht mehr kontaktieren.',
    over: 'Ihre Angaben zu dieser Anfrage sind bei uns gelöscht, und wir geben sie nicht mehr weiter. Wenn Sie dennoch jemand kontaktiert, der sie früher erhalten hat, sagen Sie ihm oder uns, dass Sie das nicht mehr möchten.',
    withdrawn: 'Ihre Einwilligung ist widerrufen.',
  },
  confirm: {
    title: 'Einwilligung bestätigen',
    button: 'Einwilligung bestätigen',
    open: 'Bitte bestätigen Sie, dass die Einwilligung in unserer E-Mail von Ihnen ist. Danach bearbeiten wir Ihre Anfrage.',
    done: 'Vielen Dank, Ihre Einwilligung ist bestätigt. Wir bearbeiten Ihre Anfrage.',
    over: 'Diese Anfrage kann nicht mehr bestätigt werden: Die Frist ist abgelaufen, oder Ihre Angaben sind gelöscht. Sie können eine neue Anfrage stellen.',
    withdrawn:
      'Sie haben diese Einwilligung widerrufen. Sie kann nicht mehr bestätigt werden. Sie können eine neue Anfrage stellen.',
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
  const texts = known && TEXTS[known.purpose];
  const isOpen = known?.state === 'open';
  const title = isUnknown(asked.error)
    ? 'Dieser Link gilt nicht'
    : (isOpen && texts?.title) || 'Ihre Einwilligung';
  const wasConfirmedBefore =
    known?.purpose === 'confirm' && known.state === 'done' && follow.data === undefined;
  return (
    <BuyerFrame>
      <title>{title}</title>
      <main className={classes.message}>
        <h1>{title}</h1>
        {known === undefined && !asked.isError && <output>Wird geladen …</output>}
        {known === undefined && (
          <LinkFailed query={asked}>
            Bitte öffnen Sie den Link aus Ihrer Bestätigung, oder wenden Sie sich an den Anbieter.
          </LinkFailed>
        )}
        {known !== undefined && texts !== undefined && (
          <div role="status">
            <p>{wasConfirmedBefore ? 'Ihre Einwilligung ist bereits bestätigt.' : texts[known.state]}</p>
            {known.done_at !== null && (
              <p>
                {known.purpose === 'confirm' && known.state === 'done' ? 'Bestätigt' : 'Widerrufen'} am{' '}
                {formatDateTime(new Date(known.done_at))} Uhr
              </p>
            )}
          </div>
        )}
        {isOpen && texts !== undefined && (
          <PageButton label={texts.button} busy={follow.isPending} press={() => follow.mutate()} />
        )}
        {follow.isError && <p role="alert">{notificationTexts.failed}</p>}
      </main>
    </BuyerFrame>
  );
}

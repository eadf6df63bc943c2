import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import type { ConsentView } from '#shared/contract/rows/consent-view';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import { channelsText, consentLine, type ProofFormat } from '#shared/rules/consent';
import { formatDateTime } from '#shared/rules/formats';
import { call, fileUrl } from '../app/api';
import { Dialog } from './Dialog';
import classes from './dialog.module.css';
import { errorText } from './dialog-error';
import { LoadedFooter } from './LoadedFooter';
import { de } from './messages';
import { nameOf, withoutBidiControls } from './view';

/** Here, because only this dialog needs them. */
const TEXT = {
  title: 'Einwilligung',
  failed: 'Die Einwilligung konnte nicht geladen werden.',
  person: 'Von',
  channels: 'Kontakt per',
  confirmed: 'Per E-Mail bestätigt am',
  page: 'Seite',
  source: 'Nachweis der Quelle',
  text: 'Wortlaut',
  print: 'Nachweis ansehen und drucken',
  file: 'Nachweis als Datei (JSON)',
};

interface Props {
  readonly token: string;
  readonly lead: ViewedLead;
  readonly onClose: () => void;
}

export function ConsentDialog({ token, lead, onClose }: Props) {
  const { data, error, refetch } = useQuery({
    queryKey: ['lead-consent', token, lead.lead_id],
    queryFn: ({ signal }) =>
      call(
        'viewLeadConsent',
        { params: { token, leadId: lead.lead_id } },
        { fallbackText: TEXT.failed, signal },
      ),
  });
  const proofUrl = (format: ProofFormat) =>
    fileUrl('exportConsentProof', { params: { token, leadId: lead.lead_id, format } });
  return (
    <Dialog title={TEXT.title} onClose={onClose} closesOutside>
      {error !== null && (
        <p role="alert" className={classes.error}>
          {errorText(error)}
        </p>
      )}
      {data === undefined && error === null && <output>{de.loading}</output>}
      {data !== undefined && (
        <>
          <Details consent={data} lead={lead} />
          <p className={classes.links}>
            <a href={proofUrl('html')} target="_blank" rel="noreferrer">
              {TEXT.print}
            </a>
            <a href={proofUrl('json')} download>
              {TEXT.file}
            </a>
          </p>
        </>
      )}
      <LoadedFooter failed={error !== null} retry={() => void refetch()} onClose={onClose} />
    </Dialog>
  );
}

function Details({ consent, lead }: { consent: ConsentView; lead: ViewedLead }) {
  const entries = [
    ['person', `${nameOf(lead)} (${lead.display_id})`],
    ['channels', channelsText(consent.channels, 'de')],
    ['confirmed', consent.confirmed_at && `${formatDateTime(new Date(consent.confirmed_at))} Uhr`],
    ['page', consent.page_url],
    ['source', consent.proof_url],
    ['text', consent.text],
  ] as const;
  return (
    <>
      <p>
        <strong>{`${TEXT.title}: ${consentLine(consent, lead.withdrawn_at, 'de')}`}</strong>
      </p>
      <dl className={classes.details}>
        {entries.map(([name, value]) =>
          value === null || value === '' ? null : (
            <Fragment key={name}>
              <dt>{TEXT[name]}</dt>
              <dd className={classes.long}>{withoutBidiControls(value)}</dd>
            </Fragment>
          ),
        )}
      </dl>
    </>
  );
}

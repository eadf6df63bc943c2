import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Answer } from '#shared/contract/schemas';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import { reasonText } from '#shared/rules/claims';
import { call } from '../app/api';
import { StatusBadge } from './ClaimAction';
import { Dialog } from './Dialog';
import { decisionBy } from './deadline-texts';
import classes from './dialog.module.css';
import { errorText } from './dialog-error';
import { de } from './messages';
import { nameOf, withoutBidiControls } from './view';

interface Props {
  readonly token: string;
  readonly lead: ViewedLead;
  readonly minDaysForNe: number;
  readonly onClose: () => void;
}

export function ClaimDetailsDialog({ token, lead, minDaysForNe, onClose }: Props) {
  const { data, error } = useQuery({
    // The status belongs to the key: a decision taken while the window is open is fetched at once.
    queryKey: ['lead-claim', token, lead.lead_id, lead.claim_status],
    queryFn: ({ signal }) =>
      call(
        'getLeadClaim',
        { params: { leadId: lead.lead_id }, query: { token } },
        { fallbackText: de.failed.claimDetails, signal },
      ),
    placeholderData: (previous) => previous,
  });
  const failure = error === null ? undefined : errorText(error);
  useEffect(() => {
    if (failure !== undefined) window.alert(failure);
  }, [failure]);

  return (
    <Dialog title={de.claimDetails.title} onClose={onClose} closesOutside>
      {failure !== undefined && (
        <p role="alert" className={classes.error}>
          {failure}
        </p>
      )}
      {data === undefined && failure === undefined && <output>{de.loading}</output>}
      {data !== undefined && failure === undefined && (
        <Details claim={data.claim} lead={lead} minDaysForNe={minDaysForNe} />
      )}
      <footer className={classes.buttons}>
        <button type="button" className={classes.plain} onClick={onClose}>
          {de.dialog.close}
        </button>
      </footer>
    </Dialog>
  );
}

interface DetailsProps extends Pick<Props, 'lead' | 'minDaysForNe'> {
  readonly claim: Answer<'getLeadClaim'>['claim'];
}

function Details({ claim, lead, minDaysForNe }: DetailsProps) {
  const text = de.claimDetails;
  return (
    <dl className={classes.details}>
      <dt>{text.number}</dt>
      <dd>#{claim.claim_id}</dd>
      <dt>{text.lead}</dt>
      <dd>
        {nameOf(lead)} ({lead.display_id})
      </dd>
      <dt>{text.status}</dt>
      <dd>
        <StatusBadge status={claim.claim_status} />
      </dd>
      <dt>{text.reason}</dt>
      <dd className={classes.long}>{withoutBidiControls(reasonText(claim.claim_reason, minDaysForNe))}</dd>
      <dt>{text.filed}</dt>
      <dd>{claim.created_at_formatted}</dd>
      {claim.decide_by !== null && claim.claim_status === 'pending' && (
        <>
          <dt>{text.decideBy}</dt>
          <dd>{decisionBy(claim.decide_by, claim.on_silence)}</dd>
        </>
      )}
      {claim.processed_at_formatted !== null && (
        <>
          <dt>{text.decided}</dt>
          <dd>{claim.processed_at_formatted}</dd>
        </>
      )}
      {claim.admin_notes !== null && claim.admin_notes !== '' && (
        <>
          <dt>{text.notes}</dt>
          <dd className={classes.long}>{withoutBidiControls(claim.admin_notes)}</dd>
        </>
      )}
      {claim.basis.length > 0 && (
        <>
          <dt>{text.basis}</dt>
          <dd className={classes.long}>{claim.basis.join('\n')}</dd>
        </>
      )}
    </dl>
  );
}

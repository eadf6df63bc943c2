import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useEffect } from 'react';
import type { Answer } from '#shared/contract/schemas';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import { reasonText } from '#shared/rules/claim-windows';
import { call } from '../app/api';
import { StatusBadge } from './ClaimAction';
import { Dialog } from './Dialog';
import { decisionBy } from './deadline-texts';
import classes from './dialog.module.css';
import { errorText } from './dialog-error';
import { de } from './messages';
import { nameOf, withoutBidiControls } from './view';

/** Here, because only this dialog needs them. */
const TEXT = {
  title: 'Reklamation Details',
  number: 'Reklamation',
  lead: 'Lead',
  status: 'Status',
  reason: 'Grund',
  filed: 'Eingereicht am',
  decideBy: 'Entscheidung bis',
  decided: 'Entschieden am',
  notes: 'Anmerkung',
  basis: 'Grundlage',
};

interface Props {
  readonly token: string;
  readonly lead: ViewedLead;
  readonly minDaysForNe: number;
  readonly onClose: () => void;
}

export function ClaimDetailsDialog({ token, lead, minDaysForNe, onClose }: Props) {
  const { data, error } = useQuery({
    // With the status, so that a decision is fetched at once.
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
    <Dialog title={TEXT.title} onClose={onClose} closesOutside>
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
  const { decide_by: decideBy, claim_status: status } = claim;
  const entries: readonly (readonly [name: keyof typeof TEXT, value: ReactNode, isLong?: true])[] = [
    ['number', `#${claim.claim_id}`],
    ['lead', `${nameOf(lead)} (${lead.display_id})`],
    ['status', <StatusBadge key="status" status={status} />],
    ['reason', withoutBidiControls(reasonText(claim.claim_reason, minDaysForNe)), true],
    ['filed', claim.created_at_formatted],
    ['decideBy', decideBy !== null && status === 'pending' && decisionBy(decideBy, claim.default_decision)],
    ['decided', claim.processed_at_formatted],
    ['notes', withoutBidiControls(claim.admin_notes ?? ''), true],
    ['basis', claim.basis.join('\n'), true],
  ];
  const shown = entries.filter(([, value]) => Boolean(value));
  return (
    <dl className={classes.details}>
      {shown.map(([name, value, isLong]) => (
        <Fragment key={name}>
          <dt>{TEXT[name]}</dt>
          <dd className={isLong && classes.long}>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

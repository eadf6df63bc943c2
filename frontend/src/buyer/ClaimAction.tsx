import { memo } from 'react';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import { type ClaimTerms, type ClaimWindow, checkClaimable } from '#shared/rules/claim-windows';
import type { ClaimStatus, Feedback } from '#shared/rules/constants';
import { berlinDay, formatDay } from '#shared/rules/working-days';
import classes from './leads.module.css';
import { de } from './messages';
import { tint } from './tint';
import { nameOf } from './view';

export type LeadAction = 'claim' | 'details' | 'consent' | 'feedback' | 'edit' | 'delete';

export interface LeadProps {
  readonly lead: ViewedLead;
  readonly terms: ClaimTerms;
  /** Changes daily in Berlin, so that rows do not render in between. */
  readonly now: Date;
  readonly admin: boolean;
  readonly isNew: boolean;
  readonly onAction: (action: LeadAction, leadId: string) => void;
  readonly onFeedback: (lead: ViewedLead, feedback: Feedback | null) => void;
}

/** The claim of a lead, or a way to file one with the remaining days. */
export const ClaimAction = memo(function ClaimAction({ lead, terms, now, admin, onAction }: LeadProps) {
  const { claim_status: status, lead_id: leadId } = lead;
  if (status !== null) {
    return (
      <div className={classes.claim}>
        <button
          type="button"
          className={classes.state}
          aria-label={de.claim.details(de.claimStatus[status], nameOf(lead))}
          onClick={() => onAction('details', leadId)}
        >
          <StatusBadge status={status} />
        </button>
        {lead.decide_by !== undefined && (
          <p className={classes.note}>{de.claim.shortDecideBy(lead.decide_by)}</p>
        )}
      </div>
    );
  }
  if (lead.erased === true) return null;
  const claimable = checkClaimable(
    { leadType: lead.lead_type, claimStatus: status, deliveredAt: new Date(lead.delivered_at) },
    terms,
    now,
  );
  if (!claimable.ok) return <p className={classes.note}>{claimable.message}</p>;
  return (
    <div className={classes.claim}>
      {!admin && (
        <button
          type="button"
          className={classes.button}
          aria-label={de.claim.fileFor(nameOf(lead))}
          onClick={() => onAction('claim', leadId)}
        >
          {de.claim.file}
        </button>
      )}
      <p className={classes.note}>
        <span title={de.claim.until(formatDay(claimable.window.lastDay))}>
          {de.claim.shortUntil(claimable.window.lastDay)}
        </span>{' '}
        <Remaining window={claimable.window} now={now} />
      </p>
    </div>
  );
});

export function StatusBadge({ status }: { status: ClaimStatus }) {
  return (
    <span className={classes.badge} style={tint(status)}>
      {de.claimStatus[status]}
    </span>
  );
}

function Remaining({ window, now }: { window: ClaimWindow; now: Date }) {
  if (window.remainingWorkingDays > 0)
    return <span>({de.claim.remaining(window.remainingWorkingDays)})</span>;
  // On a Saturday the window may last until Sunday.
  return berlinDay(now) === window.lastDay ? <strong>({de.claim.lastDay})</strong> : null;
}

import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import type { LeadProps } from './ClaimAction';
import classes from './leads.module.css';
import { de } from './messages';
import { mailLink, nameOf, telLink, withoutBidiControls } from './view';

export function Name({ lead, isNew }: { lead: ViewedLead; isNew: boolean }) {
  return (
    <>
      {nameOf(lead)}
      {isNew && <span className={classes.new}>{de.newLead}</span>}
    </>
  );
}

export function Contact({ lead, onAction }: Pick<LeadProps, 'lead' | 'onAction'>) {
  if (lead.erased === true) return null;
  const isWithdrawn = lead.withdrawn_at !== undefined;
  const sign = isWithdrawn ? de.lead.withdrawn : de.lead.consent;
  return (
    <p className={classes.contact}>
      <span className={classes.line}>
        <a href={telLink(lead.telefon)}>{withoutBidiControls(lead.telefon)}</a>
        {lead.consent === true ? (
          <button
            type="button"
            className={`${classes.consent} ${isWithdrawn ? classes.withdrawn : ''}`}
            aria-label={`${sign}: ${nameOf(lead)}`}
            onClick={() => onAction('consent', lead.lead_id)}
          >
            {!isWithdrawn && (
              <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
                <path d="M3 8.5l3.2 3.2L13 5" fill="none" stroke="currentColor" strokeWidth="2" />
              </svg>
            )}
            {sign}
          </button>
        ) : (
          isWithdrawn && <strong className={classes.withdrawn}>{sign}</strong>
        )}
      </span>
      <a href={mailLink(lead.email)}>{withoutBidiControls(lead.email)}</a>
    </p>
  );
}

/** An erased person cannot be edited. */
export function AdminActions({ lead, onAction }: Pick<LeadProps, 'lead' | 'onAction'>) {
  return (
    <div className={classes.actions}>
      {lead.erased !== true && (
        <button
          type="button"
          className={classes.button}
          aria-label={`${de.admin.edit}: Lead ${lead.display_id}`}
          onClick={() => onAction('edit', lead.lead_id)}
        >
          {de.admin.edit}
        </button>
      )}
      <button
        type="button"
        className={classes.danger}
        aria-label={`${de.admin.remove}: Lead ${lead.display_id}`}
        onClick={() => onAction('delete', lead.lead_id)}
      >
        {de.admin.remove}
      </button>
    </div>
  );
}

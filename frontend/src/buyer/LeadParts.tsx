import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import type { LeadProps } from './ClaimAction';
import classes from './leads.module.css';
import { de } from './messages';
import { nameOf } from './view';

export function Name({ lead, isNew }: { lead: ViewedLead; isNew: boolean }) {
  return (
    <>
      {nameOf(lead)}
      {isNew && <span className={classes.new}>{de.newLead}</span>}
    </>
  );
}

/** What an admin may do to a lead. */
export function AdminActions({ lead, onAction }: Pick<LeadProps, 'lead' | 'onAction'>) {
  return (
    <div className={classes.actions}>
      <button
        type="button"
        className={classes.button}
        aria-label={de.admin.editLead(lead.display_id)}
        onClick={() => onAction('edit', lead.lead_id)}
      >
        {de.admin.edit}
      </button>
      <button
        type="button"
        className={classes.danger}
        aria-label={de.admin.removeLead(lead.display_id)}
        onClick={() => onAction('delete', lead.lead_id)}
      >
        {de.admin.remove}
      </button>
    </div>
  );
}

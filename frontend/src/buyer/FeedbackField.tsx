import { memo } from 'react';
import { FEEDBACKS } from '#shared/rules/constants';
import type { LeadProps } from './ClaimAction';
import classes from './FeedbackField.module.css';
import { de } from './messages';
import { tint } from './tint';
import { nameOf } from './view';

/** Admins see it only. */
export const FeedbackField = memo(function FeedbackField({ lead, admin, onFeedback, onAction }: LeadProps) {
  const { feedback, feedback_entries: entries } = lead;
  if (lead.erased === true || (admin && entries === undefined)) return null;
  return (
    <div className={classes.feedback}>
      {admin ? (
        feedback !== undefined && <span>{de.feedback[feedback]}</span>
      ) : (
        <label>
          {de.feedback.label}
          <select
            aria-label={de.feedback.of(nameOf(lead))}
            value={feedback ?? ''}
            style={feedback && tint(feedback)}
            onChange={({ target: { value } }) =>
              onFeedback(lead, FEEDBACKS.find((each) => each === value) ?? null)
            }
          >
            <option value="">{de.feedback.none}</option>
            {FEEDBACKS.map((each) => (
              <option key={each} value={each}>
                {de.feedback[each]}
              </option>
            ))}
          </select>
        </label>
      )}
      {entries !== undefined && (
        <button
          type="button"
          aria-label={`${de.feedback.diary(entries)}: ${nameOf(lead)}`}
          onClick={() => onAction('feedback', lead.lead_id)}
        >
          {de.feedback.diary(entries)}
        </button>
      )}
    </div>
  );
});

import { memo } from 'react';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import { FEEDBACKS, type Feedback } from '#shared/rules/constants';
import classes from './FeedbackField.module.css';
import { de } from './messages';
import { tint } from './tint';
import { nameOf } from './view';

interface Props {
  readonly lead: ViewedLead;
  readonly admin: boolean;
  readonly onFeedback: (lead: ViewedLead, feedback: Feedback | null) => void;
}

/** Admins see it only. */
export const FeedbackField = memo(function FeedbackField({ lead, admin, onFeedback }: Props) {
  if (lead.erased === true) return null;
  const { feedback } = lead;
  if (admin) return feedback === undefined ? null : <p className={classes.said}>{de.feedback[feedback]}</p>;
  return (
    <label className={classes.feedback}>
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
  );
});

import { memo } from 'react';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import { FEEDBACKS, type Feedback } from '#shared/rules/constants';
import classes from './FeedbackButtons.module.css';
import { de } from './messages';
import { tint } from './tint';
import { nameOf } from './view';

interface Props {
  readonly lead: ViewedLead;
  readonly admin: boolean;
  readonly onFeedback: (lead: ViewedLead, feedback: Feedback | null) => void;
}

/** A second tap clears it. Admins see it only. */
export const FeedbackButtons = memo(function FeedbackButtons({ lead, admin, onFeedback }: Props) {
  if (lead.erased === true) return null;
  if (admin)
    return lead.feedback === undefined ? null : <p className={classes.said}>{de.feedback[lead.feedback]}</p>;
  return (
    <fieldset className={classes.feedback} aria-label={de.feedback.of(nameOf(lead))}>
      {FEEDBACKS.map((feedback) => {
        const isSaid = lead.feedback === feedback;
        return (
          <button
            key={feedback}
            type="button"
            className={classes.choice}
            aria-pressed={isSaid}
            style={isSaid ? tint(feedback) : undefined}
            onClick={() => onFeedback(lead, isSaid ? null : feedback)}
          >
            {de.feedback[feedback]}
          </button>
        );
      })}
    </fieldset>
  );
});

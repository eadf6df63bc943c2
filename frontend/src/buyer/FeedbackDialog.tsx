import { useMutation, useQuery } from '@tanstack/react-query';
import type { Answer } from '#shared/contract/schemas';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import { FEEDBACKS, type Feedback } from '#shared/rules/constants';
import { formatDateTime } from '#shared/rules/formats';
import { call } from '../app/api';
import { Dialog } from './Dialog';
import classes from './dialog.module.css';
import { errorText } from './dialog-error';
import { LoadedFooter } from './LoadedFooter';
import { de } from './messages';
import { useViewUpdates } from './use-leads-view';
import { nameOf } from './view';

/** Here, because only this dialog needs them. */
const TEXT = {
  title: 'Verlauf der Rückmeldungen',
  failed: 'Die Rückmeldungen konnten nicht geladen werden.',
  again: 'Neue Rückmeldung',
  ended: 'Keine Rückmeldung mehr',
  mistake: (entry: number) => `Nr. ${entry} zurückgenommen`,
  takeBack: 'Zurücknehmen',
  takeBackOf: (entry: number) => `Zurücknehmen: Nr. ${entry}`,
  byAdmin: 'durch einen Admin',
};

interface Props {
  readonly token: string;
  readonly lead: ViewedLead;
  /** Admins see it only. */
  readonly admin: boolean;
  readonly onClose: () => void;
}

export function FeedbackDialog({ token, lead, admin, onClose }: Props) {
  const params = { token, leadId: lead.lead_id };
  const { refresh } = useViewUpdates(token);
  const { data, error, refetch } = useQuery({
    queryKey: ['lead-feedback', token, lead.lead_id],
    queryFn: ({ signal }) => call('viewFeedback', { params }, { fallbackText: TEXT.failed, signal }),
  });
  const change = useMutation({
    mutationFn: (what: { readonly feedback: Feedback } | { readonly entry: number }) => {
      const options = { fallbackText: de.feedback.failed };
      return 'entry' in what
        ? call('takeBackFeedback', { params: { ...params, ...what } }, options)
        : call('saveFeedback', { params, body: what }, options);
    },
    onSettled: () => Promise.all([refetch(), refresh()]),
  });
  const failure = error ?? change.error;
  return (
    <Dialog title={TEXT.title} onClose={onClose} closesOutside>
      <p className={classes.subject}>{`${nameOf(lead)} (${lead.display_id})`}</p>
      {failure !== null && (
        <p role="alert" className={classes.error}>
          {errorText(failure)}
        </p>
      )}
      {data === undefined && error === null && <output>{de.loading}</output>}
      {data !== undefined && (
        <ol className={classes.diary}>
          {data.entries.map((entry) => (
            <li key={entry.number}>
              <Entry entry={entry} />
              {!admin && entry.takes_back === null && !entry.taken_back && (
                <button
                  type="button"
                  className={classes.choice}
                  aria-label={TEXT.takeBackOf(entry.number)}
                  disabled={change.isPending}
                  onClick={() => change.mutate({ entry: entry.number })}
                >
                  {TEXT.takeBack}
                </button>
              )}
            </li>
          ))}
        </ol>
      )}
      {!admin && (
        <fieldset className={classes.choices}>
          <legend>{TEXT.again}</legend>
          {FEEDBACKS.map((feedback) => (
            <button
              key={feedback}
              type="button"
              className={classes.choice}
              disabled={change.isPending}
              onClick={() => change.mutate({ feedback })}
            >
              {de.feedback[feedback]}
            </button>
          ))}
        </fieldset>
      )}
      <LoadedFooter failed={error !== null} retry={() => void refetch()} onClose={onClose} />
    </Dialog>
  );
}

function Entry({ entry }: { entry: Answer<'viewFeedback'>['entries'][number] }) {
  const { number, said, at, by, takes_back: mistake, taken_back: isMistake } = entry;
  const text = said === null ? TEXT.ended : de.feedback[said];
  return (
    <span>
      {`${number}. `}
      {isMistake ? <s>{text}</s> : <strong>{mistake === null ? text : TEXT.mistake(mistake)}</strong>}
      <br />
      <small className={classes.hint}>
        <time dateTime={at}>{`${formatDateTime(new Date(at))} Uhr`}</time>
        {by === 'admin' && `, ${TEXT.byAdmin}`}
      </small>
    </span>
  );
}

import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import type { LeadAction } from './ClaimAction';
import { ClaimDetailsDialog } from './ClaimDetailsDialog';
import { ClaimDialog } from './ClaimDialog';
import { ConsentDialog } from './ConsentDialog';
import { DeleteLeadDialog } from './DeleteLeadDialog';
import { filedText } from './deadline-texts';
import { EditLeadDialog } from './EditLeadDialog';
import { FeedbackDialog } from './FeedbackDialog';
import { de } from './messages';
import { useViewUpdates } from './use-leads-view';
import type { LeadsView } from './view';

interface Props {
  readonly token: string;
  readonly action: LeadAction;
  readonly lead: ViewedLead;
  readonly view: LeadsView;
  readonly now: Date;
  readonly onClose: () => void;
  readonly notify: (text: string) => void;
}

export function LeadDialog({ token, action, lead, view, now, onClose, notify }: Props) {
  const { refresh, patch } = useViewUpdates(token);
  const done = (text: string) => {
    onClose();
    notify(text);
  };
  const changed = (text: string) => {
    done(text);
    void refresh();
  };
  switch (action) {
    case 'claim':
      return (
        <ClaimDialog
          token={token}
          lead={lead}
          order={view.order}
          now={now}
          onClose={onClose}
          onRefused={() => void refresh()}
          onFiled={(claim) => {
            done(filedText(claim.decide_by));
            void patch(lead.lead_id, {
              claim_status: claim.claim_status,
              claim_id: claim.claim_id,
              claim_reason: claim.claim_reason,
              ...(claim.decide_by !== null && { decide_by: claim.decide_by }),
            });
          }}
        />
      );
    case 'details':
      return (
        <ClaimDetailsDialog
          token={token}
          lead={lead}
          minDaysForNe={view.order.min_days_for_ne}
          onClose={onClose}
        />
      );
    case 'consent':
      return <ConsentDialog token={token} lead={lead} onClose={onClose} />;
    case 'feedback':
      return <FeedbackDialog token={token} lead={lead} admin={view.admin} onClose={onClose} />;
    case 'edit':
      return (
        view.admin && <EditLeadDialog lead={lead} onClose={onClose} onSaved={() => changed(de.admin.saved)} />
      );
    case 'delete':
      return (
        view.admin && (
          <DeleteLeadDialog lead={lead} onClose={onClose} onDeleted={() => changed(de.admin.removed)} />
        )
      );
    default:
      return action satisfies never;
  }
}

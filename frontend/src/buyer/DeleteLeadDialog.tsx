import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import { call } from '../app/api';
import { Dialog } from './Dialog';
import classes from './dialog.module.css';
import { errorText } from './dialog-error';
import { de } from './messages';
import { nameOf } from './view';

interface Props {
  readonly lead: ViewedLead;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

export function DeleteLeadDialog({ lead, onClose, onDeleted }: Props) {
  const [failure, setFailure] = useState<string>();
  const remove = useMutation({
    mutationFn: () =>
      call('deleteLead', { params: { leadId: lead.lead_id } }, { fallbackText: de.failed.deleteLead }),
    onSuccess: onDeleted,
    onError: (error) => {
      setFailure(errorText(error));
      window.alert(errorText(error));
    },
  });
  return (
    <Dialog title={de.admin.removeLead(lead.display_id)} onClose={onClose} role="alertdialog">
      <p>{de.admin.removeQuestion(lead.display_id, nameOf(lead), lead.claim_status === 'approved')}</p>
      <p role="alert" className={classes.error}>
        {failure}
      </p>
      <footer className={classes.buttons}>
        <button type="button" className={classes.plain} onClick={onClose}>
          {de.dialog.cancel}
        </button>
        <button
          type="button"
          className={classes.danger}
          disabled={remove.isPending}
          onClick={() => remove.mutate()}
        >
          {de.admin.remove}
        </button>
      </footer>
    </Dialog>
  );
}

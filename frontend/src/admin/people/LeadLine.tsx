import { formatDateTime } from '#shared/rules/formats';
import type { PersonLead } from '../data/people';
import classes from './people.module.css';

export const nameOf = ({ vorname, nachname, erased_at }: PersonLead): string =>
  erased_at === null ? `${vorname} ${nachname}`.trim() || 'Without a name' : 'Erased person';

export function LeadLine({ lead }: { readonly lead: PersonLead }) {
  const { display_id, lead_id, email, telefon, status, buyer_id, received_at, withdrawn_at } = lead;
  return (
    <span className={classes.line}>
      <strong>{display_id ?? `…${lead_id.slice(-6)}`}</strong>
      <span>{nameOf(lead)}</span>
      <span>{email}</span>
      <span>{telefon}</span>
      <span>{formatDateTime(new Date(received_at))}</span>
      <span>{buyer_id === null ? status : `${status}, ${buyer_id}`}</span>
      {withdrawn_at !== null && <span>consent withdrawn {formatDateTime(new Date(withdrawn_at))}</span>}
    </span>
  );
}

import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import { formatEuroShort } from '#shared/rules/formats';
import { alignment } from './LeadTable';
import classes from './leads.module.css';
import { de } from './messages';
import { nameOf, withoutBidiControls } from './view';

const COLUMNS = ['number', 'delivered', 'name', 'contact', 'amount', 'term', 'claim'] as const;

/** Every row, without buttons. */
export function PrintedList({ leads }: { leads: readonly ViewedLead[] }) {
  return (
    <table className={classes.printed} aria-label={de.lead.list}>
      <thead>
        <tr>
          {COLUMNS.map((name) => (
            <th key={name} scope="col" className={alignment(name)}>
              {de.lead[name]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {leads.map((lead) => (
          <tr key={lead.lead_id}>
            <td>{lead.display_id}</td>
            <td>{lead.delivery_timestamp_formatted}</td>
            <th scope="row">{nameOf(lead)}</th>
            <td>
              {withoutBidiControls(lead.email)}
              <br />
              {withoutBidiControls(lead.telefon)}
            </td>
            <td className={classes.amount}>{formatEuroShort(lead.anlagebetrag)}</td>
            <td className={classes.amount}>{de.lead.months(lead.laufzeit)}</td>
            <td>{lead.claim_status === null ? '' : de.claimStatus[lead.claim_status]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

import { memo, type Ref } from 'react';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import { formatEuroShort } from '#shared/rules/formats';
import { ClaimAction, type LeadProps } from './ClaimAction';
import { AdminActions, Contact, Name } from './LeadParts';
import classes from './leads.module.css';
import { de } from './messages';
import { useWindowRows } from './use-window-rows';

export type ListProps = Omit<LeadProps, 'lead' | 'isNew'> & {
  readonly leads: readonly ViewedLead[];
  readonly isNew: (leadId: string) => boolean;
};

const ROW_PX = 65;

/** The leads on a wide screen. */
export function LeadTable({ leads, isNew, ...shared }: ListProps) {
  const { rows, listRef, measure, above, below } = useWindowRows<HTMLTableSectionElement>(leads, ROW_PX);
  return (
    <table className={classes.table} aria-rowcount={leads.length + 1} aria-label={de.lead.list}>
      <thead>
        <tr>
          <th scope="col">{de.lead.number}</th>
          <th scope="col">{de.lead.delivered}</th>
          <th scope="col">{de.lead.name}</th>
          <th scope="col">{de.lead.contact}</th>
          <th scope="col" className={classes.right}>
            {de.lead.amount}
          </th>
          <th scope="col" className={classes.right}>
            {de.lead.term}
          </th>
          <th scope="col">{de.lead.claim}</th>
          {shared.admin && <th scope="col">{de.lead.actions}</th>}
        </tr>
      </thead>
      <tbody ref={listRef}>
        <Gap height={above} />
        {rows.map(({ lead, index }) => (
          <Row
            key={lead.lead_id}
            ref={measure}
            index={index}
            lead={lead}
            isNew={isNew(lead.lead_id)}
            {...shared}
          />
        ))}
        <Gap height={below} />
      </tbody>
    </table>
  );
}

const Row = memo(function Row({
  index,
  ref,
  ...props
}: LeadProps & { index: number; ref: Ref<HTMLTableRowElement> }) {
  const { lead } = props;
  return (
    <tr ref={ref} data-index={index} data-lead={lead.lead_id} aria-rowindex={index + 2}>
      <td className={classes.number}>
        {lead.display_id}
        {props.admin && <SystemId lead={lead} />}
      </td>
      <td className={classes.number}>{lead.delivery_timestamp_formatted}</td>
      <th scope="row">
        <Name lead={lead} isNew={props.isNew} />
      </th>
      <td>
        <Contact lead={lead} />
      </td>
      <td className={classes.amount}>{formatEuroShort(lead.anlagebetrag)}</td>
      <td className={classes.amount}>{de.lead.months(lead.laufzeit)}</td>
      <td>
        <ClaimAction {...props} />
      </td>
      {props.admin && (
        <td>
          <AdminActions {...props} />
        </td>
      )}
    </tr>
  );
});

function SystemId({ lead }: { lead: ViewedLead }) {
  return (
    <small className={classes.system} title={`${de.lead.systemId}: ${lead.lead_id}`}>
      {lead.lead_id}
    </small>
  );
}

/** Stands for the rows that are not drawn. */
function Gap({ height }: { height: number }) {
  return height > 0 && <tr aria-hidden="true" style={{ height }} />;
}

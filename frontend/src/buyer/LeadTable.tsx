import { memo } from 'react';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import { formatEuroShort } from '#shared/rules/formats';
import { ClaimAction, type LeadProps } from './ClaimAction';
import { FeedbackField } from './FeedbackField';
import { AdminActions, Contact, Name } from './LeadParts';
import classes from './leads.module.css';
import { de } from './messages';
import { type MeasureRow, useWindowRows } from './use-window-rows';

export type ListProps = Omit<LeadProps, 'lead' | 'isNew'> & {
  readonly leads: readonly ViewedLead[];
  readonly isNew: (lead: ViewedLead) => boolean;
  /** New leads come first, so the visible rows must be held in place. */
  readonly keepsPlace: boolean;
};

const ROW_HEIGHT_PX = 82;

export const alignment = (name: ColumnName) =>
  name === 'amount' || name === 'term' ? classes.right : undefined;

type ColumnName = 'number' | 'delivered' | 'name' | 'contact' | 'amount' | 'term' | 'claim' | 'actions';
const COLUMNS: readonly (readonly [ColumnName, width?: string, widthForAdmins?: string])[] = [
  ['number', '80px', '142px'],
  ['delivered', '154px'],
  ['name'],
  ['contact', '22%', '19.5%'],
  ['amount', '122px'],
  ['term', '100px'],
  ['claim', '26.5%', '190px'],
  ['actions', '146px'],
];

export function LeadTable({ leads, isNew, keepsPlace, ...shared }: ListProps) {
  const { rows, listRef, measure, above, below, tracker } = useWindowRows<HTMLTableSectionElement>(
    leads,
    ROW_HEIGHT_PX,
    keepsPlace,
  );
  return (
    <>
      {tracker}
      <table className={classes.table} aria-rowcount={leads.length + 1} aria-label={de.lead.list}>
        <thead>
          <tr>
            {COLUMNS.filter(([name]) => name !== 'actions' || shared.admin).map(
              ([name, width, widthForAdmins = width]) => (
                <th
                  key={name}
                  scope="col"
                  className={alignment(name)}
                  style={{ width: shared.admin ? widthForAdmins : width }}
                >
                  {de.lead[name]}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody ref={listRef}>
          <Gap height={above} />
          {rows.map(({ lead, index }) => (
            <Row
              key={lead.lead_id}
              measure={measure}
              index={index}
              lead={lead}
              isNew={isNew(lead)}
              {...shared}
            />
          ))}
          <Gap height={below} />
        </tbody>
      </table>
    </>
  );
}

interface RowProps extends LeadProps {
  readonly index: number;
  readonly measure: MeasureRow | undefined;
}

const Row = memo(function Row({ index, measure, ...props }: RowProps) {
  const { lead } = props;
  return (
    <tr ref={measure} data-index={index} data-lead={lead.lead_id} aria-rowindex={index + 2}>
      <td>
        {lead.display_id}
        {props.admin && <SystemId lead={lead} />}
      </td>
      <td>{lead.delivery_timestamp_formatted}</td>
      <th scope="row">
        <Name lead={lead} isNew={props.isNew} />
      </th>
      <td>
        <Contact {...props} />
      </td>
      <td className={classes.amount}>{formatEuroShort(lead.anlagebetrag)}</td>
      <td className={classes.amount}>{de.lead.months(lead.laufzeit)}</td>
      <td>
        <ClaimAction {...props} />
        <FeedbackField {...props} />
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

/** For rows outside the window. */
function Gap({ height }: { height: number }) {
  return height > 0 && <tr aria-hidden="true" style={{ height }} />;
}

import { memo } from 'react';
import { formatEuroShort } from '#shared/rules/formats';
import { ClaimAction, type LeadProps } from './ClaimAction';
import { FeedbackField } from './FeedbackField';
import { AdminActions, Contact, Name } from './LeadParts';
import type { ListProps } from './LeadTable';
import classes from './leads.module.css';
import { de } from './messages';
import { type MeasureRow, useWindowRows } from './use-window-rows';

const CARD_HEIGHT_PX = 266;

/** On phones. */
export function LeadCards({ leads, isNew, keepsPlace, ...shared }: ListProps) {
  const { rows, listRef, measure, above, below, tracker } = useWindowRows<HTMLUListElement>(
    leads,
    CARD_HEIGHT_PX,
    keepsPlace,
  );
  return (
    <>
      {tracker}
      <ul
        className={classes.cards}
        aria-label={de.lead.list}
        ref={listRef}
        style={{ paddingTop: above, paddingBottom: below }}
      >
        {rows.map(({ lead, index }) => (
          <Card
            key={lead.lead_id}
            measure={measure}
            index={index}
            size={leads.length}
            lead={lead}
            isNew={isNew(lead)}
            {...shared}
          />
        ))}
      </ul>
    </>
  );
}

interface CardProps extends LeadProps {
  readonly index: number;
  readonly size: number;
  readonly measure: MeasureRow | undefined;
}

const Card = memo(function Card({ index, size, measure, ...props }: CardProps) {
  const { lead } = props;
  return (
    <li
      ref={measure}
      data-index={index}
      data-lead={lead.lead_id}
      aria-posinset={index + 1}
      aria-setsize={size}
      className={classes.cardItem}
    >
      <article className={classes.card}>
        <header className={classes.cardHead}>
          <h3 className={classes.cardName}>
            <Name lead={lead} isNew={props.isNew} />
          </h3>
          <span className={classes.muted}>{lead.display_id}</span>
        </header>
        <p className={classes.facts}>
          <strong>{formatEuroShort(lead.anlagebetrag)}</strong>
          <span>{de.lead.months(lead.laufzeit)}</span>
          <span className={classes.muted}>{lead.delivery_timestamp_formatted}</span>
        </p>
        <Contact {...props} />
        <FeedbackField {...props} />
        {props.admin && (
          <p className={classes.system}>
            {de.lead.systemId}: {lead.lead_id}
          </p>
        )}
        <ClaimAction {...props} />
        {props.admin && <AdminActions {...props} />}
      </article>
    </li>
  );
});

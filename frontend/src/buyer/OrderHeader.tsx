import { useState } from 'react';
import { INVESTMENT_SPLIT_EURO } from '#shared/rules/constants';
import { formatDateTime, formatEuroShort, formatNumber } from '#shared/rules/formats';
import { Figure } from './Figure';
import { de } from './messages';
import classes from './OrderHeader.module.css';
import { timeAgo } from './relative-time';
import {
  analyseInvestments,
  hasReplacements,
  type InvestmentPart,
  type LeadsView,
  withoutBidiControls,
} from './view';

interface Props {
  readonly view: LeadsView;
  readonly now: Date;
}

export function OrderHeader({ view, now }: Props) {
  const { order, summary, admin } = view;
  const last = summary.last_lead_at === null ? undefined : new Date(summary.last_lead_at);
  return (
    <header className={classes.order}>
      <h1>{de.title(order.buyer_order_number)}</h1>
      <span className={classes.chip} data-status={order.status}>
        {de.orderStatus[order.status]}
      </span>
      {admin && <span className={classes.chip}>{de.admin.badge}</span>}
      <Progress delivered={order.leads_received} limit={order.lead_limit} />
      <dl className={classes.facts}>
        <Figure name={de.lastLead.label}>
          {last === undefined ? (
            de.lastLead.never
          ) : (
            <time dateTime={last.toISOString()} title={formatDateTime(last)}>
              {timeAgo(last, now, de.locale, de.lastLead.now)}
            </time>
          )}
        </Figure>
        {hasReplacements(view) && (
          <Figure name={de.tabs.reimbursement}>
            {de.replacements(summary.delivered_reimbursements, summary.pending_reimbursements)}
          </Figure>
        )}
        {order.claim_quota !== null && (
          <Figure name={de.claimQuota.label}>{de.claimQuota.left(order.claim_quota)}</Figure>
        )}
        {admin && <Figure name={de.lead.buyerId}>{order.buyer_id}</Figure>}
      </dl>
      <a data-screen href="#account">
        {de.account.title}
      </a>
      <Comments text={withoutBidiControls(order.comments.trim())} />
    </header>
  );
}

/** In one line until they are opened. */
function Comments({ text }: { readonly text: string }) {
  const [open, setOpen] = useState(false);
  return (
    <section className={classes.comments} aria-label={de.comments.title} data-open={open}>
      {text === '' ? (
        <p>{de.comments.none}</p>
      ) : (
        <>
          <h2>
            <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
              {de.comments.title}
            </button>
          </h2>
          <p>{text}</p>
        </>
      )}
    </section>
  );
}

function Progress({ delivered, limit }: { delivered: number; limit: number }) {
  return (
    <div className={classes.progress}>
      <progress value={delivered} max={limit} aria-label={de.progress.label}>
        {delivered} / {limit}
      </progress>
      <p>
        <strong>
          {formatNumber(delivered)} / {formatNumber(limit)}
        </strong>{' '}
        {de.progress.unit(limit)}
      </p>
    </div>
  );
}

/** For admins. */
export function InvestmentAnalysis({ view }: { view: LeadsView }) {
  const split = formatEuroShort(INVESTMENT_SPLIT_EURO);
  const { under, over } = analyseInvestments(
    [...view.leads.original, ...view.leads.reimbursement],
    INVESTMENT_SPLIT_EURO,
  );
  return (
    <section className={classes.panel} aria-label={de.analysis.title}>
      <h2>{de.analysis.title}</h2>
      <div className={classes.analysis}>
        <Part title={de.analysis.under(split)} part={under} />
        <Part title={de.analysis.over(split)} part={over} />
      </div>
    </section>
  );
}

function Part({ title, part }: { title: string; part: InvestmentPart }) {
  return (
    <dl>
      <dt>{title}</dt>
      <dd>
        <strong>{de.analysis.leads(part.count)}</strong> ({de.analysis.share(part.share)})
      </dd>
      <dd>{de.analysis.sum(formatEuroShort(part.sum))}</dd>
      <dd>{de.analysis.average(formatEuroShort(Math.round(part.average)))}</dd>
    </dl>
  );
}

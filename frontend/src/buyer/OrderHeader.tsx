import { CLAIM_STATUSES, EXPORT_FORMATS, INVESTMENT_SPLIT, LEAD_TYPES } from '#shared/contract/constants';
import { formatDateTime, formatEuroShort, formatNumber } from '#shared/rules/formats';
import { fileUrl } from '../app/api';
import { StatusBadge } from './ClaimAction';
import { de } from './messages';
import classes from './page.module.css';
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

/** The order at a glance: number, progress, age of the last lead, replacements, comments and what the colours mean. */
export function OrderHeader({ view, now }: Props) {
  const { order, summary, admin } = view;
  const last = summary.last_lead_at === null ? undefined : new Date(summary.last_lead_at);
  return (
    <header className={`${classes.panel} ${classes.order}`}>
      <div className={classes.headline}>
        <h1>{de.title(order.buyer_order_number)}</h1>
        <span className={classes.chip} data-status={order.status}>
          {de.orderStatus[order.status]}
        </span>
        {admin && <span className={classes.chip}>{de.admin.badge}</span>}
      </div>
      <Progress delivered={order.leads_received} limit={order.lead_limit} />
      <dl className={classes.facts}>
        <div>
          <dt>{de.lastLead.label}</dt>
          <dd>
            {last === undefined ? (
              de.lastLead.never
            ) : (
              <time dateTime={last.toISOString()} title={formatDateTime(last)}>
                {timeAgo(last, now, de.locale, de.lastLead.now)}
              </time>
            )}
          </dd>
        </div>
        {hasReplacements(view) && (
          <div>
            <dt>{de.tabs.reimbursement}</dt>
            <dd>{de.replacements(summary.delivered_reimbursements, summary.pending_reimbursements)}</dd>
          </div>
        )}
        {admin && (
          <div>
            <dt>{de.lead.buyerId}</dt>
            <dd>{order.buyer_id}</dd>
          </div>
        )}
      </dl>
      <section className={classes.comments} aria-label={de.comments.title}>
        <h2>{de.comments.title}</h2>
        <p>{order.comments.trim() === '' ? de.comments.none : withoutBidiControls(order.comments)}</p>
      </section>
    </header>
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

/** What the three states of a claim look like. */
export function Legend() {
  return (
    <section className={classes.legend} aria-label={de.legend}>
      <h2>{de.legend}</h2>
      <ul>
        {CLAIM_STATUSES.map((status) => (
          <li key={status}>
            <StatusBadge status={status} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Downloads of the whole order or one of its lists, and the way to paper. */
export function Exports({ token, view }: { token: string; view: LeadsView }) {
  const parts = hasReplacements(view) ? LEAD_TYPES : (['original'] as const);
  return (
    <div className={classes.exports}>
      <ExportLinks
        name={de.exports.all}
        href={(format) => fileUrl('exportLeads', { params: { token, format } })}
      />
      {parts.map((part) => (
        <ExportLinks
          key={part}
          name={de.tabs[part]}
          href={(format) => fileUrl('exportLeadsPart', { params: { token, format, part } })}
        />
      ))}
      <button type="button" className={classes.link} onClick={() => window.print()}>
        {de.exports.print}
      </button>
    </div>
  );
}

function ExportLinks({
  name,
  href,
}: {
  name: string;
  href: (format: (typeof EXPORT_FORMATS)[number]) => string;
}) {
  return (
    <span className={classes.export}>
      <span>{name}</span>
      {EXPORT_FORMATS.map((format) => (
        <a
          key={format}
          href={href(format)}
          download
          className={classes.link}
          aria-label={de.exports.as(name, format.toUpperCase())}
        >
          {format.toUpperCase()}
        </a>
      ))}
    </span>
  );
}

/** How the investments fall below and at or above 25.000 €; for admins. */
export function InvestmentAnalysis({ view }: { view: LeadsView }) {
  const split = formatEuroShort(INVESTMENT_SPLIT);
  const { under, over } = analyseInvestments(
    [...view.leads.original, ...view.leads.reimbursement],
    INVESTMENT_SPLIT,
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

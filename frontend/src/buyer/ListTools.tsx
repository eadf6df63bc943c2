import { CLAIM_STATUSES, EXPORT_FORMATS, LEAD_TYPES } from '#shared/rules/constants';
import { fileUrl } from '../app/api';
import { StatusBadge } from './ClaimAction';
import classes from './ListTools.module.css';
import { de } from './messages';
import page from './page.module.css';
import { hasReplacements, type LeadsView } from './view';

interface Props {
  readonly token: string;
  readonly view: LeadsView;
  /** On a phone. */
  readonly collapsed: boolean;
}

export function ListTools({ token, view, collapsed }: Props) {
  return (
    <div data-screen className={classes.tools}>
      <Legend />
      {collapsed ? (
        <details className={`${page.fold} ${classes.more}`}>
          <summary>{de.exports.title}</summary>
          <Exports token={token} view={view} />
        </details>
      ) : (
        <Exports token={token} view={view} />
      )}
    </div>
  );
}

function Legend() {
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

function Exports({ token, view }: Omit<Props, 'collapsed'>) {
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

import { PROOFS_PER_FILE } from '#shared/rules/consent';
import { EXPORT_FORMATS, LEAD_TYPES } from '#shared/rules/constants';
import { fileUrl } from '../app/api';
import classes from './ExportMenu.module.css';
import { de } from './messages';
import page from './page.module.css';
import { hasReplacements, type LeadsView, sequenceOf } from './view';

interface Props {
  readonly token: string;
  readonly view: LeadsView;
}

export function Exports({ token, view }: Props) {
  const parts = hasReplacements(view) ? LEAD_TYPES : (['original'] as const);
  return (
    <>
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
      {proofParts(view).length > 0 && (
        <p className={classes.export}>
          <span>{de.exports.consents}</span>
          {proofParts(view).map((part, _, parts) => (
            <a
              key={part}
              href={fileUrl('exportConsentProofs', { params: { token, part } })}
              download
              className={page.tool}
              aria-label={de.exports.as(de.exports.consents, `ZIP ${part}`)}
            >
              {parts.length === 1 ? 'ZIP' : `ZIP ${part}`}
            </a>
          ))}
        </p>
      )}
      <button type="button" className={page.tool} onClick={() => window.print()}>
        {de.exports.print}
      </button>
    </>
  );
}

/** Each for a range of sequences. */
function proofParts({ leads: { original, reimbursement } }: LeadsView): number[] {
  const leads = [...original, ...reimbursement];
  if (!leads.some(({ consent }) => consent === true)) return [];
  const last = Math.max(...leads.map(sequenceOf));
  return Array.from({ length: Math.ceil(last / PROOFS_PER_FILE) }, (_, at) => at + 1);
}

interface LinksProps {
  readonly name: string;
  readonly href: (format: (typeof EXPORT_FORMATS)[number]) => string;
}

function ExportLinks({ name, href }: LinksProps) {
  return (
    <p className={classes.export}>
      <span>{name}</span>
      {EXPORT_FORMATS.map((format) => (
        <a
          key={format}
          href={href(format)}
          download
          className={page.tool}
          aria-label={de.exports.as(name, format.toUpperCase())}
        >
          {format.toUpperCase()}
        </a>
      ))}
    </p>
  );
}

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
  const proofs = countProofs(view);
  return (
    <>
      <ExportLinks
        name={de.exports.all}
        files={filesOf((format) => fileUrl('exportLeads', { params: { token, format } }))}
      />
      {parts.map((part) => (
        <ExportLinks
          key={part}
          name={de.tabs[part]}
          files={filesOf((format) => fileUrl('exportLeadsPart', { params: { token, format, part } }))}
        />
      ))}
      {proofs > 0 && (
        <ExportLinks
          name={de.exports.consents}
          files={Array.from({ length: proofs }, (_, at) => ({
            label: proofs === 1 ? 'ZIP' : `ZIP ${at + 1}`,
            href: fileUrl('exportConsentProofs', { params: { token, part: at + 1 } }),
          }))}
        />
      )}
      <button type="button" className={page.tool} onClick={() => window.print()}>
        {de.exports.print}
      </button>
    </>
  );
}

/** Of the files with proofs, each for a range of sequences. */
function countProofs({ leads: { original, reimbursement } }: LeadsView): number {
  const leads = [...original, ...reimbursement];
  if (!leads.some(({ consent }) => consent === true)) return 0;
  return Math.ceil(Math.max(...leads.map(sequenceOf)) / PROOFS_PER_FILE);
}

type Format = (typeof EXPORT_FORMATS)[number];
const filesOf = (href: (format: Format) => string) =>
  EXPORT_FORMATS.map((format) => ({ label: format.toUpperCase(), href: href(format) }));

interface LinksProps {
  readonly name: string;
  readonly files: readonly { readonly label: string; readonly href: string }[];
}

function ExportLinks({ name, files }: LinksProps) {
  return (
    <p className={classes.export}>
      <span>{name}</span>
      {files.map(({ label, href }) => (
        <a key={label} href={href} download className={page.tool} aria-label={de.exports.as(name, label)}>
          {label}
        </a>
      ))}
    </p>
  );
}

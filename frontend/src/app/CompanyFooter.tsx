import { useQuery } from '@tanstack/react-query';
import { postalLines } from '#shared/rules/company';
import { call } from './api';
import classes from './CompanyFooter.module.css';

const LABELS = {
  de: { imprint: 'Impressum', privacy: 'Datenschutz', contact: 'Kontakt zum Datenschutz' },
  en: { imprint: 'Imprint', privacy: 'Privacy notice', contact: 'Data protection contact' },
} as const;

/** Who runs the system, at the end of every public page. Empty until loaded, and if nothing is set or it cannot be loaded. */
export function CompanyFooter({ language }: { readonly language: keyof typeof LABELS }) {
  const { data } = useQuery({
    queryKey: ['company'],
    queryFn: ({ signal }) => call('getCompany', {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data === undefined) return null;
  const labels = LABELS[language];
  const lines = postalLines(data);
  const links = [
    [labels.imprint, data.imprint_url],
    [labels.privacy, data.privacy_url],
  ].filter(([, url]) => url !== '');
  if (lines.length + links.length === 0 && data.privacy_contact === '') return null;
  return (
    <footer className={classes.footer} lang={language}>
      {lines.length > 0 && <span>{lines.join(', ')}</span>}
      {links.map(([label, url]) => (
        <a key={label} href={url} target="_blank" rel="noreferrer">
          {label}
        </a>
      ))}
      {data.privacy_contact !== '' && (
        <span>
          {labels.contact}: {data.privacy_contact}
        </span>
      )}
    </footer>
  );
}

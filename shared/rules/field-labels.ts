/** What fields of requests are called in texts for people. */

const LABELS: Readonly<Record<string, string>> = {
  anrede: 'Salutation',
  vorname: 'First name',
  nachname: 'Last name',
  telefon: 'Phone',
  anlagebetrag: 'Investment amount',
  laufzeit: 'Term',
  clickId: 'Click ID',
  src: 'Source',
  q: 'Search',
};
const ACRONYMS = new Set(['id', 'ne', 'api', 'ai', 'gi', 'ci', 'smtp', 'html']);

/**
 * The name of a field as people read it: `lead_limit` is "Lead limit", `leadId` "Lead ID", `smtp_host` "SMTP host".
 * @param path its name, or the names on the way to it with dots between; only the last one that is no index counts
 */
export function fieldLabel(path: string): string {
  const name = path.split('.').findLast((part) => !/^\d*$/.test(part)) ?? '';
  const label = LABELS[name];
  if (label !== undefined) return label;
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => (ACRONYMS.has(word.toLowerCase()) ? word.toUpperCase() : word.toLowerCase()))
    .join(' ');
  return words === '' ? 'Request' : `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

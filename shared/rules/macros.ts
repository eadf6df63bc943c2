/** The `$$name$$` macros of e-mail and push templates. */
import { PERSON_FIELDS } from '#shared/rules/lead-fields';

/** Empty for a lead without consent. */
export const CONSENT_MACROS = [
  'consent_given_at',
  'consent_method',
  'consent_channels',
  'consent_text',
  'consent_page_url',
  'consent_confirmed_at',
  'consent_proof_url',
] as const;

/** Also the values that mappings may use. */
export const LEAD_MACROS = [
  ...PERSON_FIELDS,
  'src',
  'clickId',
  'lead_id',
  'order_lead_id',
  'order_id',
  'lead_sequence',
  ...CONSENT_MACROS,
] as const;
export type LeadMacro = (typeof LEAD_MACROS)[number];

/** Partners never get the link. */
export const LINK_MACRO = 'leads_link';

export const EMAIL_MACROS: readonly string[] = [
  ...LEAD_MACROS.filter((macro) => macro !== 'clickId' && macro !== 'lead_id'),
  LINK_MACRO,
];

export const PUSH_MACROS = [
  'status',
  'anrede',
  'vorname',
  'nachname',
  'email',
  'telefon',
  'anlagebetrag',
  'src',
  'buyer_id',
  'buyer_email',
  'date',
] as const;

/** @param settings with texts and mappings */
export const usesConsent = (settings: object): boolean =>
  /\$\$consent_|:"consent_/.test(JSON.stringify(settings));

const MACRO = /\$\$([A-Za-z_]\w*)\$\$/g;
/** Looks like a macro to its author: `$$leads-link$$`, `$$straße$$`, `$$ vorname $$`. */
const MEANT_AS_MACRO = /\$\$( *[^\s$\d][^\s$]* *)\$\$/g;

/** For the API document. Matches from the start, because one macro's end does not begin the next: `$$email$$and$$email$$`. */
export function unknownMacroPattern(allowed: readonly string[]): string {
  const known = `\\$\\$(?:${allowed.join('|')})\\$\\$`;
  return `^(?:${known}|(?!${MEANT_AS_MACRO.source})[\\s\\S])*(?!${known})${MEANT_AS_MACRO.source}`;
}

export function unknownMacros(text: string, allowed: readonly string[]): string[] {
  const names = Array.from(text.matchAll(MEANT_AS_MACRO), (match) => match[1] ?? '');
  return [...new Set(names)].filter((name) => !allowed.includes(name));
}

/**
 * In one pass, so that a value that looks like a macro stays. A macro without a value becomes empty. @param encode makes
 * values safe for the text
 */
export function fillMacros(
  text: string,
  values: Readonly<Record<string, string>>,
  encode: (value: string) => string = (value) => value,
): string {
  return text.replace(MACRO, (_, name: string) =>
    encode(Object.hasOwn(values, name) ? (values[name] ?? '') : ''),
  );
}

export function escapeHtml(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** In a subject, a line break would start a new header. */
export function singleLine(value: string): string {
  return value.replace(/[\r\n\u2028\u2029]+/g, ' ');
}

/** The `$$name$$` macros of the e-mail and push templates. */
import { PERSON_FIELDS } from '#shared/rules/lead-fields';

/** The values of a lead that mappings to partners' fields may use; e-mail templates may use some of them. */
export const LEAD_MACROS = [
  ...PERSON_FIELDS,
  'src',
  'clickId',
  'lead_id',
  'order_lead_id',
  'order_id',
  'lead_sequence',
] as const;
export type LeadMacro = (typeof LEAD_MACROS)[number];

/** The macro for the secret link to the order's list, which partners never get. */
export const LINK_MACRO = 'leads_link';

/** The macros of an e-mail template. */
export const EMAIL_MACROS: readonly string[] = [
  ...LEAD_MACROS.filter((macro) => macro !== 'clickId' && macro !== 'lead_id'),
  LINK_MACRO,
];

/** The macros of the push notification text. */
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

const MACRO = /\$\$([A-Za-z_]\w*)\$\$/g;
/** What somebody who wrote it took for a macro, such as `$$leads-link$$`, `$$straße$$` or `$$ vorname $$`. */
const MEANT_AS_MACRO = /\$\$( *[^\s$\d][^\s$]* *)\$\$/g;

/**
 * For the API document: matches a text with a macro that is not in `allowed`. It reads from the start, because the end of
 * one macro does not begin the next: `$$email$$and$$email$$` has no macro `and`.
 */
export function unknownMacroPattern(allowed: readonly string[]): string {
  const known = `\\$\\$(?:${allowed.join('|')})\\$\\$`;
  return `^(?:${known}|(?!${MEANT_AS_MACRO.source})[\\s\\S])*(?!${known})${MEANT_AS_MACRO.source}`;
}

/** The names of the macros in a text that are not in `allowed`, without repetitions. */
export function unknownMacros(text: string, allowed: readonly string[]): string[] {
  const names = Array.from(text.matchAll(MEANT_AS_MACRO), (match) => match[1] ?? '');
  return [...new Set(names)].filter((name) => !allowed.includes(name));
}

/**
 * Replaces every macro by its value in one pass, so that a value that looks like a macro is not replaced again. A macro
 * without a value becomes empty.
 * @param encode makes each value safe for the text, for example `escapeHtml` or `singleLine`
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

/** Makes a value safe for HTML bodies. */
export function escapeHtml(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Makes a value safe for subjects, where a line break would start a new header. */
export function singleLine(value: string): string {
  return value.replace(/[\r\n\u2028\u2029]+/g, ' ');
}

/** Also full-width, and after white space. */
const FORMULA = /^[\s\u200b\ufeff]*[=+\-@＝＋－＠]/;
const FIRST_CONTROL = /^[\t\r\n]/;
/** `+49 (0)170 / 123-45`, `-5` or `+2,5`: evaluated as a formula, at most a sum of these digits. */
const HARMLESS = /^(?:\+\d[\d ()/-]*|[+-]\d+(?:[.,]\d+)?)$/;

/** For CSV cells: a text that a spreadsheet would evaluate gets an apostrophe in front (OWASP ASVS 1.2.10). */
export function withoutFormula(text: string): string {
  if (HARMLESS.test(text)) return text;
  return FORMULA.test(text) || FIRST_CONTROL.test(text) ? `'${text}` : text;
}

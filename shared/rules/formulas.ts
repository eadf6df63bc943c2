/** The characters that start a formula, including their full-width forms, also after white space. */
const FORMULA = /^[\s\u200b\ufeff]*[=+\-@＝＋－＠]/;
const FIRST_CONTROL = /^[\t\r\n]/;
/** A telephone number (`+49 (0)170 / 123-45`) or a number (`-5`, `+2,5`): as a formula at most a sum of its own digits. */
const HARMLESS = /^(?:\+\d[\d ()/-]*|[+-]\d+(?:[.,]\d+)?)$/;

/**
 * A text for a cell of a CSV file. One that a spreadsheet would evaluate as a formula gets an apostrophe in front (OWASP ASVS
 * 1.2.10), unless it is a telephone number or a plain number.
 */
export function withoutFormula(text: string): string {
  if (HARMLESS.test(text)) return text;
  return FORMULA.test(text) || FIRST_CONTROL.test(text) ? `'${text}` : text;
}

/** Rules that the forms of the browser and the schemas of the server share. */

/**
 * The simple e-mail pattern: one `@`, a dot in the domain, no blanks and none of the characters by which an
 * address list or a mail header could be smuggled in.
 */
const EMAIL = /^[^\s@,;<>"()[\]\\:]+@[^\s@,;<>"()[\]\\:]+\.[^\s@,;<>"()[\]\\:.]{2,}$/;

export function isEmailAddress(value: string): boolean {
  return value.length <= 254 && EMAIL.test(value) && !value.includes('..');
}

/** The probabilities of the active buyers may not sum to more than this many percent. */
export const PROBABILITY_TOTAL = 100;
export const PROBABILITY_TOTAL_TEXT = 'Total probability cannot exceed 100%. Please adjust the value.';

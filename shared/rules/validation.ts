/** Rules that the forms of the web app and the schemas of the server share. */

/**
 * A simple pattern: one `@`, a dot in the domain, no blanks, and none of the characters with which a list of addresses
 * or a mail header could be injected.
 */
export const EMAIL_PATTERN = /^[^\s@,;<>"()[\]\\:]+@[^\s@,;<>"()[\]\\:]+\.[^\s@,;<>"()[\]\\:.]{2,}$/;

export function isEmailAddress(value: string): boolean {
  return value.length <= 254 && EMAIL_PATTERN.test(value) && !value.includes('..');
}

/** The largest sum of the weights of active buyers, in hundredths of a percent. */
const MAX_TOTAL_HUNDREDTHS = 100_00;
export const PROBABILITY_TOTAL_TEXT = 'Total probability cannot exceed 100%. Please adjust the value.';

/**
 * Whether a buyer can have a weight beside the other active buyers.
 * @param own the buyer's weight in hundredths of a percent
 * @param others the weights of the other buyers that are switched on and have an order
 * @returns `fits`: the sum is at most 100 %; `exclusive`: the weight is 100 %, so an admin must confirm that all others
 *   are set to 0 %; `exceeds`: it is refused
 */
export function checkProbability(own: number, others: readonly number[]): 'fits' | 'exclusive' | 'exceeds' {
  const sum = others.reduce((total, probability) => total + probability, own);
  if (sum <= MAX_TOTAL_HUNDREDTHS) return 'fits';
  return own === MAX_TOTAL_HUNDREDTHS ? 'exclusive' : 'exceeds';
}

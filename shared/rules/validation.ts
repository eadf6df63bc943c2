/** Rules that the forms of the browser and the schemas of the server share. */

/**
 * The simple e-mail pattern: one `@`, a dot in the domain, no blanks and none of the characters by which an
 * address list or a mail header could be smuggled in.
 */
export const EMAIL_PATTERN = /^[^\s@,;<>"()[\]\\:]+@[^\s@,;<>"()[\]\\:]+\.[^\s@,;<>"()[\]\\:.]{2,}$/;

export function isEmailAddress(value: string): boolean {
  return value.length <= 254 && EMAIL_PATTERN.test(value) && !value.includes('..');
}

/** The probabilities of the active buyers may not sum to more than this many hundredths of a percent. */
const PROBABILITY_TOTAL = 100_00;
export const PROBABILITY_TOTAL_TEXT = 'Total probability cannot exceed 100%. Please adjust the value.';
/** How many buyers can be set to 0 % in one go: each takes three writes of a transaction that holds a hundred. */
const MOST_SET_TO_ZERO = 30;

/**
 * Whether a buyer can have a probability beside the other active ones: it `fits`; it is all of 100 % and is
 * `exclusive`, so an admin must agree that the others go to 0 %; or it `exceeds` the total.
 * @param own in hundredths of a percent, as are those of the other buyers that are switched on and have an order
 */
export function checkProbability(own: number, others: readonly number[]): 'fits' | 'exclusive' | 'exceeds' {
  const sum = others.reduce((total, probability) => total + probability, own);
  if (sum <= PROBABILITY_TOTAL) return 'fits';
  const counting = others.filter((probability) => probability > 0).length;
  return own === PROBABILITY_TOTAL && counting <= MOST_SET_TO_ZERO ? 'exclusive' : 'exceeds';
}

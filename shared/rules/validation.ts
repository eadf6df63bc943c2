/** Rules that forms and schemas share. */

/** Simple, and without characters that could inject a list of addresses or a mail header. */
export const EMAIL_PATTERN = /^[^\s@,;<>"()[\]\\:]+@[^\s@,;<>"()[\]\\:]+\.[^\s@,;<>"()[\]\\:.]{2,}$/;

export function isEmailAddress(value: string): boolean {
  return value.length <= 254 && EMAIL_PATTERN.test(value) && !value.includes('..');
}

/** So that a link never runs code or is readable on the way. */
export const WEB_ADDRESS_OR_NONE = /^(?:https:\/\/[^\s"<>\\^`{|}]{3,500})?$/;

export const USERNAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/;

const MAX_TOTAL_HUNDREDTHS = 100_00;
export const PROBABILITY_TOTAL_TEXT = 'Total probability cannot exceed 100%. Please adjust the value.';

/**
 * @param own hundredths of a percent @param others weights of other active buyers with an order @returns `exclusive`: 100 %,
 * so an admin must confirm that all others get 0 %
 */
export function checkProbability(own: number, others: readonly number[]): 'fits' | 'exclusive' | 'exceeds' {
  const sum = others.reduce((total, probability) => total + probability, own);
  if (sum <= MAX_TOTAL_HUNDREDTHS) return 'fits';
  return own === MAX_TOTAL_HUNDREDTHS ? 'exclusive' : 'exceeds';
}

import { MAX_DECISION_DAYS } from '#shared/rules/constants';
import { INVALID as SHARED } from '#shared/rules/invalid-texts';

/** Errors of fields. Separate from the other texts, because only forms load them. */
export const INVALID = {
  ...SHARED,
  buyerId: 'Buyer ID is required',
  buyerIdCharacters: 'Only letters, digits, dot, underscore and hyphen, at most 64',
  weightMeanwhile: (percent: string) =>
    `Another admin has set it to ${percent}%. Save again to keep your value.`,
  amount: 'Must be a number, 0 or more',
  days: 'Enter whole days from 1 to 3650, or leave empty',
  maxClaimDays: 'Maximum claim days must be between 1 and 30',
  minDaysForNe: 'Minimum days for NE must be between 1 and 30',
  decisionDays: `Enter working days from 1 to ${MAX_DECISION_DAYS}, or leave empty`,
  quota: 'Enter a whole percentage from 0 to 100, or leave empty',
  sources: 'Choose at least one source',
  json: 'Must be valid JSON',
  required: (what: string) => `${what} is required`,
  domain: 'Enter the domain without protocol, for example box.example.com',
  buyer: 'Please select a buyer',
  limit: 'Invalid lead limit',
  limitDelivered: (delivered: number) => `At least ${delivered}`,
  limitMinimum: 'The lead limit must be at least 1',
  cap: 'Enter a whole number from 1, or leave empty',
  balance: (max: number) => `Must be a whole number from 1 to ${max}`,
  number: 'Must be a number',
  wholeNumber: 'Must be a whole number',
  templateName: 'Template name is required',
  countFrom: (min: number, max: number) => `Must be a whole number from ${min} to ${max}`,
  password: 'Enter at least 12 characters',
  port: 'Must be a port number from 1 to 65535',
} as const;

/** Error texts for fields, shared by forms and the API. */
export const INVALID = {
  email: 'Please enter a valid email address',
  probability: 'Probability must be a number from 0 to 100',
  buyerType: 'Please select a valid buyer type',
  neAboveMax: 'Minimum days for NE may not exceed maximum claim days',
  maxBelowMin: 'The maximum may not be below the minimum',
  sourceLists: 'Sources are either allowed or excluded, not both',
  hostMacro: 'The host name cannot contain a macro',
  weekdays: 'Choose at least one day',
  events: 'Choose at least one event',
  username: 'Letters, digits and . _ @ + - only, at most 64',
  time: 'Enter a time, for example 08:00',
  endsBefore: 'The end must be after the start',
  webAddress: 'Enter an address that begins with https://',
} as const;

import type { Verification } from '../data/settings';

/** What is checked about a lead before it is distributed. */
export const CHECKS = [
  {
    key: 'email_verification',
    title: 'Email Verification',
    about: 'Is the address written well, and does it exist?',
  },
  {
    key: 'phone_verification',
    title: 'Phone Verification',
    about: 'Is it a phone number that can be called?',
  },
  { key: 'name_verification', title: 'Name Verification', about: 'Does the name look like a name?' },
] as const satisfies readonly { key: keyof Verification; title: string; about: string }[];

import type { Verification } from '../data/settings';

/** What is checked about a lead before it is distributed. */
export const CHECKS = [
  {
    key: 'email_verification',
    title: 'Email Verification',
    about: 'Checks that the address is valid and exists.',
  },
  {
    key: 'phone_verification',
    title: 'Phone Verification',
    about: 'Checks that the phone number can be called.',
  },
  { key: 'name_verification', title: 'Name Verification', about: 'Checks that the name is plausible.' },
] as const satisfies readonly { key: keyof Verification; title: string; about: string }[];

import { fieldLabel } from '#shared/rules/field-labels';

/** Kinds of stored items whose name in the code means nothing to admins. */
const TEXTS: Readonly<Record<string, string>> = {
  refusedDelivery: 'Delivery that the buyer refused',
  diary: 'Feedback of the buyer',
  notification: 'Notification',
  callback: 'Callback to the source',
  person: 'Duplicate fingerprint',
  address: 'Returned e-mails',
  doNotContact: 'Withdrawal of consent',
  intakeKey: 'Intake',
  verificationResult: 'Result of a verification service',
  claimRowBlock: 'Claim list entry',
  claimWord: 'Claim search term',
  counted: 'Counted in the statistics',
  leadWord: 'Lead search term',
  access: 'Access by an admin',
};

export function kindText(kind: string): string {
  return TEXTS[kind] ?? fieldLabel(kind);
}

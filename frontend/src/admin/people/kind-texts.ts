import { fieldLabel } from '#shared/rules/field-labels';

/** Kinds of stored items whose own name says nothing to an admin. */
const TEXTS: Readonly<Record<string, string>> = {
  refusedDelivery: 'Delivery that the buyer refused',
  notice: 'Notification',
  callback: 'Callback to the source',
  person: 'Mark against the same person twice',
  address: 'Returned e-mails',
  intakeKey: 'Intake',
  verificationResult: 'Result of a verification service',
  claimRowBlock: 'Line in the list of claims',
  claimWord: 'Search word of the claim',
  counted: 'Counted in the statistics',
  leadWord: 'Search word of the lead',
  look: 'Looked at by an admin',
  auditEntry: 'Entry of the audit trail',
};

/** What a kind of stored item is called on the screen of a person. */
export function kindText(kind: string): string {
  return TEXTS[kind] ?? fieldLabel(kind);
}

/** Links by which a person acts on the own consent. They are signed, not stored, and valid as long as the lead is there. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { CONSENT_LINKS, type ConsentLink } from '#shared/rules/consent';

const LEAD_ID_LENGTH = 26;

const signature = (key: Uint8Array, leadId: string, purpose: ConsentLink) =>
  createHmac('sha256', key).update(`${purpose} ${leadId}`).digest();

export const personToken = (key: Uint8Array, leadId: string, purpose: ConsentLink): string =>
  `${leadId}${signature(key, leadId, purpose).toString('base64url')}`;

/** Undefined for a forged token. */
export function readPersonToken(
  key: Uint8Array,
  token: string,
): { readonly leadId: string; readonly purpose: ConsentLink } | undefined {
  const leadId = token.slice(0, LEAD_ID_LENGTH);
  const given = Buffer.from(token.slice(LEAD_ID_LENGTH), 'base64url');
  const purpose = CONSENT_LINKS.find((one) => {
    const expected = signature(key, leadId, one);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return purpose && { leadId, purpose };
}

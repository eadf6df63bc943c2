import type { Consent } from '#functions/data/leads/consent';
import type { ConsentView } from '#shared/contract/rows/consent-view';

/** @param consent with its wording */
export const consentRow = (consent: Consent): ConsentView => ({
  ...consent,
  page_url: consent.page_url ?? null,
  confirmed_at: consent.confirmed_at ?? null,
  proof_url: consent.proof_url ?? null,
});

/** Sources and their posts. */
import { type Source, UNLIMITED } from '#functions/data/sources/source';
import { aLeadRequest, type LeadRequest } from '#test/factories/people';

/** A live source without limits. */
export const aSource = (changes: Partial<Source> = {}): Source => ({
  source: 1,
  name: 'Landing page',
  src: 'landing',
  state: 'live',
  addresses: [],
  origins: [],
  mapping: {},
  defaults: {},
  per_minute: 600,
  per_day: UNLIMITED,
  in_total: UNLIMITED,
  cost_per_lead: null,
  window_days: 30,
  on_duplicate: 'refuse',
  sees_buyers: false,
  consent: 'ignore',
  double_opt_in: false,
  consent_texts: [],
  consent_text_count: 0,
  keys: {},
  salt: `salt of ${changes.source ?? 1}`,
  created_at: '2026-01-01T00:00:00.000Z',
  version: 1,
  minute: 0,
  minute_left: 600,
  day: '2026-01-01',
  day_left: UNLIMITED,
  total_left: UNLIMITED,
  ...changes,
});

let counter = 0;
/** A new person each time. */
export function aPostedLead(
  changes: Partial<Omit<LeadRequest, 'consent'>> & { readonly external_id?: string } = {},
) {
  counter += 1;
  const {
    src: _,
    buyer_id: __,
    consent: ___,
    ...lead
  } = aLeadRequest({ telefon: `+49170${1_000_000 + counter}` });
  return { external_id: `form-${counter}`, ...lead, ...changes };
}

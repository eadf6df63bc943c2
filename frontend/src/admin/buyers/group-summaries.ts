/** What a closed group of the buyer form contains, in one line. */
import { ALL_CHANNELS } from '#shared/channels/channels';
import { NOTIFICATION_KINDS } from '#shared/rules/constants';
import { termsText } from '#shared/rules/terms';
import { BUYER_LABELS, type BuyerValues } from './buyer-values';
import type { SourceValues } from './source-values';

const listed = (names: readonly string[]) => names.join(', ') || 'None';
const joined = (...parts: readonly (string | false)[]) => parts.filter((part) => part !== false).join(', ');

export const partnersText = (values: BuyerValues) =>
  listed(ALL_CHANNELS.flatMap(({ id, flag, label }) => (id !== 'email' && values[flag] ? [label] : [])));

/** By their numbers. */
type SourceNames = ReadonlyMap<number, string>;

export function suitableText(values: BuyerValues, names: SourceNames) {
  const [min, max] = [values.min_investment.trim(), values.max_investment.trim()];
  const terms = termsText(values.min_term.trim() || null, values.max_term.trim() || null);
  return joined(
    min === '' && max === '' && 'Every amount',
    min !== '' && `From €${min}`,
    max !== '' && `${min === '' ? 'Up' : 'up'} to €${max}`,
    terms !== '' && terms,
    sourcesText(values, names),
    values.requires_consent && 'with consent',
    values.manual_review && 'assigned by an admin',
  );
}

/** `only from A and B`, `not from C`; false for every source */
const sourcesText = ({ sources_allowed, sources_excluded }: SourceValues, names: SourceNames) =>
  sources_allowed !== null
    ? `only from ${listedText(sources_allowed, names)}`
    : sources_excluded !== null && `not from ${listedText(sources_excluded, names)}`;

export const listedText = (sources: readonly number[] | null, names: SourceNames) =>
  (sources ?? []).map((source) => names.get(source) ?? `source ${source}`).join(' and ') || 'no source';

export const claimsText = (values: BuyerValues) =>
  joined(
    `${values.max_claim_days} days`,
    `not reachable from day ${values.min_days_for_ne}`,
    values.decision_days.trim() !== '' && `decided within ${values.decision_days.trim()} days`,
    values.claim_quota_percent.trim() !== '' && `at most ${values.claim_quota_percent.trim()}%`,
    values.auto_decide_claims && 'clear ones decided automatically',
  );

export const linksText = ({ link_days, link_code }: BuyerValues) =>
  joined(
    link_days.trim() === '' ? 'No expiry' : `Valid for ${link_days.trim()} days`,
    link_code && 'with a code by e-mail',
  );

export const notificationsText = (values: BuyerValues) =>
  listed(
    NOTIFICATION_KINDS.flatMap((kind) =>
      values[`notify_${kind}`] ? [BUYER_LABELS[`notify_${kind}`] ?? kind] : [],
    ),
  );

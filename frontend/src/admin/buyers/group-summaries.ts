/** What a closed group of the buyer form contains, in one line. */
import { ALL_CHANNELS } from '#shared/channels/channels';
import { NOTIFICATION_KINDS } from '#shared/rules/constants';
import { BUYER_LABELS, type BuyerValues } from './buyer-values';

const listed = (names: readonly string[]) => names.join(', ') || 'None';
const joined = (...parts: readonly (string | false)[]) => parts.filter((part) => part !== false).join(', ');

export const partnersText = (values: BuyerValues) =>
  listed(ALL_CHANNELS.flatMap(({ id, flag, label }) => (id !== 'email' && values[flag] ? [label] : [])));

export const suitableText = ({ min_investment, manual_review, requires_consent }: BuyerValues) =>
  joined(
    min_investment.trim() === '' ? 'Every amount' : `From €${min_investment.trim()}`,
    requires_consent && 'with consent',
    manual_review && 'assigned by an admin',
  );

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

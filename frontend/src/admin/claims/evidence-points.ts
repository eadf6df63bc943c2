/** Sorts the evidence of a claim by what it speaks for. Pure functions. */
import { CHANNEL_DESCRIPTORS } from '#shared/channels/channels';
import type { EvidenceRow } from '#shared/contract/schemas/claims';
import { formatDateTime } from '#shared/rules/formats';
import { ADDRESS_STATES } from '../ui/address-texts';
import { checkText } from '../ui/check-text';
import { countOf } from '../ui/labels';

type Check = EvidenceRow['checks'][number];

export interface Point {
  /** For or against the claim; `known`: neither. */
  readonly speaks: 'for' | 'against' | 'known';
  readonly text: string;
  /** A lead that the text begins with. */
  readonly lead?: { readonly lead_id: string; readonly display_id: string };
}

/** @param reason the code of the claim's reason */
export function pointsOf(evidence: EvidenceRow, reason: string): Point[] {
  return [
    ...duplicatePoints(evidence, reason),
    ...feedbackPoints(evidence),
    ...addressPoints(evidence, reason),
    ...checkPoints(evidence, reason),
    ...deliveryPoints(evidence),
    ...sourcePoints(evidence),
  ];
}

const at = (instant: string) => formatDateTime(new Date(instant));

const FIELDS = { email: 'e-mail', phone: 'phone', name: 'name' } as const;

/** A compensated earlier lead proves nothing: the buyer has not paid for it. */
function duplicatePoints({ duplicates, claimed_later }: EvidenceRow, reason: string): Point[] {
  const isReason = reason === 'doppelt';
  const earlier = duplicates.map(
    ({ delivered_at, same, claim_status, ...lead }): Point => ({
      speaks: !isReason || claim_status === 'approved' ? 'known' : 'for',
      lead,
      text: `of ${at(delivered_at)}, earlier, ${sameAs(same)}${claimText(claim_status)}`,
    }),
  );
  const later = claimed_later.map(
    ({ same, claim_status, ...lead }): Point => ({
      speaks: isReason ? 'known' : 'against',
      lead,
      text: `came later, ${sameAs(same)}${claimText(claim_status)}`,
    }),
  );
  const none: Point = { speaks: 'against', text: 'The buyer has no earlier lead of the same person' };
  return [...(isReason && duplicates.length === 0 ? [none] : earlier), ...later];
}

const sameAs = (same: readonly (keyof typeof FIELDS)[]) =>
  `same ${same.map((field) => FIELDS[field]).join(' and ')}`;
const claimText = (status: string | null) => (status === null ? '' : `, claim ${status}`);

const SAID = {
  reached: ['against', 'The buyer reached the person'],
  not_reached: ['for', 'The buyer did not reach the person'],
  closed: ['against', 'The buyer closed a deal with the person'],
} as const;

function feedbackPoints({ feedback }: EvidenceRow): Point[] {
  if (feedback === null) return [];
  const [speaks, text] = SAID[feedback.said];
  return [{ speaks, text: `${text}, says its feedback of ${at(feedback.at)}` }];
}

function addressPoints({ address }: EvidenceRow, reason: string): Point[] {
  if (address === null) return [];
  const speaks = reason === 'falsche_email' && address.state.startsWith('bounced') ? 'for' : 'known';
  return [{ speaks, text: `${ADDRESS_STATES[address.state] ?? address.state}, ${at(address.at)}` }];
}

/** Which checks a reason is about; the others of a lead are about the person as a whole. */
const CHECKED: Readonly<Record<string, readonly Check['kind'][]>> = {
  falsche_nummer: ['phone'],
  falsche_email: ['email'],
  ne: ['phone'],
  fake: ['email', 'phone', 'name'],
  falsche_daten: ['email', 'phone', 'name'],
};

const isFormal = ({ by, result }: Check) => by === 'offline' && result === 'valid';

/** The offline check looks at the form of a value only, so a valid one proves nothing. */
function checkPoints({ checks }: EvidenceRow, reason: string): Point[] {
  const formal = checks.filter(isFormal).map(({ kind }) => FIELDS[kind]);
  const points = checks
    .filter((check) => !isFormal(check))
    .map((check): Point => {
      const isProof = CHECKED[reason]?.includes(check.kind) && check.result !== 'unknown';
      const speaks = check.result === 'valid' ? 'against' : 'for';
      return { speaks: isProof ? speaks : 'known', text: `${checkText(check)}, ${at(check.at)}` };
    });
  if (formal.length === 0) return points;
  return [...points, { speaks: 'known', text: `Well-formed: ${formal.join(', ')}` }];
}

/** Nobody can call a person whose lead has not arrived. */
function deliveryPoints({ delivered_at, opened_at, deliveries }: EvidenceRow): Point[] {
  const failed = deliveries
    .filter(({ status }) => status !== 'delivered')
    .map(
      ({ channel, status, attempts }): Point => ({
        speaks: 'known',
        text: `${CHANNEL_DESCRIPTORS[channel].label}: ${status} after ${countOf(attempts.length, 'attempt')}`,
      }),
    );
  const by = deliveries.filter(({ status }) => status === 'delivered');
  const arrived = [
    ...(delivered_at === null
      ? []
      : [
          `Delivered ${at(delivered_at)} by ${by.map(({ channel }) => CHANNEL_DESCRIPTORS[channel].label).join(' and ')}`,
        ]),
    ...(opened_at === null ? [] : [`List first opened ${at(opened_at)}`]),
  ].map((text): Point => ({ speaks: 'known', text }));
  if (arrived.length > 0) return [...arrived, ...failed];
  return [
    { speaks: 'against', text: 'The lead has not reached the buyer, by a channel or its list' },
    ...failed,
  ];
}

function sourcePoints({ source_claims }: EvidenceRow): Point[] {
  if (source_claims === null || source_claims.filed === 0) return [];
  const { days, filed, approved, rejected } = source_claims;
  return [
    {
      speaks: approved > rejected ? 'for' : rejected > approved ? 'against' : 'known',
      text: `${countOf(filed, 'claim')} on the source’s leads of ${days} days: ${approved} approved, ${rejected} rejected`,
    },
  ];
}

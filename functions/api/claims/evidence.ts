import type { Claim } from '#functions/data/claims/claim';
import type { Evidence } from '#functions/data/claims/evidence';
import { displayId } from '#functions/data/leads/lead';
import type { KnownOfClaim } from '#functions/domain/claims/evidence';
import type { Answer } from '#shared/contract/schemas';
import type { Feedback } from '#shared/rules/constants';
import { formatDate, formatDateTime } from '#shared/rules/formats';

export function evidenceAnswer({ evidence, suggestion }: KnownOfClaim): Answer<'getClaimEvidence'> {
  return {
    evidence:
      evidence === undefined
        ? null
        : {
            ...evidence,
            duplicates: evidence.duplicates.map(({ order_id, sequence, ...duplicate }) => ({
              ...duplicate,
              display_id: displayId({ order_id, sequence }),
            })),
            claimed_later: evidence.claimed_later.map(({ order_id, sequence, ...later }) => ({
              ...later,
              display_id: displayId({ order_id, sequence }),
            })),
          },
    suggestion:
      suggestion === undefined
        ? null
        : {
            rule: suggestion.rule,
            status: suggestion.status,
            text: suggestion.english,
            notes: suggestion.german,
          },
  };
}

/** In German. Only facts about the buyer's own leads, not the claims of others. */
export function basisOf({ rule, reversed_at }: Claim, evidence: Evidence): string[] {
  return [
    ...(rule !== undefined && reversed_at === undefined
      ? ['Automatisch nach einer festen Regel entschieden.']
      : []),
    ...evidence.duplicates.map(
      ({ order_id, sequence, delivered_at, same }) =>
        `Ihr früherer Lead ${displayId({ order_id, sequence })} vom ${on(delivered_at)}: ${same
          .map((field) => (field === 'phone' ? 'gleiche Telefonnummer' : 'gleiche E-Mail-Adresse'))
          .join(', ')}.`,
    ),
    ...evidence.checks
      .filter(({ by, kind }) => by !== 'offline' && kind !== 'name')
      .map(
        ({ kind, by, result, at: checkedAt }) =>
          `${kind === 'email' ? 'E-Mail-Adresse' : 'Telefonnummer'} geprüft von ${by} am ${at(checkedAt)}: ${RESULTS[result]}.`,
      ),
    ...(evidence.address?.state === 'bounced_hard'
      ? [`E-Mail-Adresse: Nachricht unzustellbar am ${on(evidence.address.at)}.`]
      : []),
    ...evidence.deliveries.flatMap(({ channel, attempts }) => {
      const delivered = attempts.find(({ outcome }) => outcome === 'delivered');
      return delivered === undefined
        ? []
        : [
            `Zugestellt ${channel === 'email' ? 'per E-Mail' : 'an Ihre Schnittstelle'} am ${at(delivered.at)}.`,
          ];
    }),
    ...(evidence.opened_at === null ? [] : [`In Ihrer Liste zuerst geöffnet am ${at(evidence.opened_at)}.`]),
    ...(evidence.feedback === null
      ? []
      : [`Ihre Rückmeldung: ${FEEDBACK[evidence.feedback.said]} (${on(evidence.feedback.at)}).`]),
  ];
}

const at = (instant: string) => formatDateTime(new Date(instant));
const on = (instant: string) => formatDate(new Date(instant));

const RESULTS: Readonly<Record<Evidence['checks'][number]['result'], string>> = {
  valid: 'gültig',
  invalid: 'ungültig',
  unknown: 'kein sicheres Ergebnis',
  dead: 'gibt es nicht',
};

const FEEDBACK: Readonly<Record<Feedback, string>> = {
  reached: 'erreicht',
  not_reached: 'nicht erreicht',
  closed: 'Abschluss',
};

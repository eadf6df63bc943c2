/** A separate file, so that it is loaded on demand. */

import { deliveryProblemText } from '#functions/api/common/delivery-problem';
import type { Context } from '#functions/data/context';
import { CHECKED_DAYS, type Check, checklistOf, RECENT_DAYS } from '#functions/domain/alerts/checklist';
import { CHANNEL_DESCRIPTORS } from '#shared/channels/channels';
import type { Answer } from '#shared/contract/schemas';
import { formatDateTime, formatEuroShort, formatNumber } from '#shared/rules/formats';
import { termsText } from '#shared/rules/terms';

type Row = Answer<'getChecklist'>['checks'][number];
type Limits = Extract<Check, { check: 'criteria' }>['limits'];
type Words = Pick<Row, 'text'> & Partial<Pick<Row, 'action' | 'what_if'>>;

export async function checklistAnswer(context: Context, buyerId: string): Promise<Answer<'getChecklist'>> {
  const found = await checklistOf(context, buyerId);
  const isBlocked = found.some(({ state }) => state === 'blocked');
  const checks = found.map((check): Row => {
    const { text, action = null, what_if = null } = wordsOf(check, isBlocked);
    const helps = check.state !== 'ok';
    return {
      check: check.check,
      state: check.state,
      text,
      action: helps ? action : null,
      what_if: helps ? what_if : null,
    };
  });
  const blocked = checks.filter(({ state }) => state === 'blocked');
  const [first] = blocked;
  return {
    summary:
      first === undefined
        ? openSummary(checks)
        : `${first.text}${blocked.length > 1 ? ` ${count(blocked.length - 1, 'more blocker')}.` : ''}`,
    checks,
  };
}

/** Notes about missed leads come first, because they most likely answer the question of the admin. */
function openSummary(checks: readonly Row[]): string {
  const notes = checks.filter(({ check, state }) => state === 'warn' && check !== 'share');
  return [
    ...notes.map(({ text }) => text),
    notes.length === 0 ? 'Nothing is blocking leads.' : 'Nothing else is blocking leads.',
    ...checks.filter(({ check }) => check === 'share').map(({ text }) => text),
  ].join(' ');
}

const count = (number: number, one: string, many = `${one}s`) =>
  `${formatNumber(number)} ${number === 1 ? one : many}`;
/** Percent. Proposed for a buyer without a weight if the weights of the others sum to 100 %. */
const PROPOSED_PERCENT = 10;

function wordsOf(check: Check, isBlocked: boolean): Words {
  const isOk = check.state === 'ok';
  switch (check.check) {
    case 'order':
      return isOk
        ? { text: `Its leads go to order ${check.orderId}.` }
        : { text: 'It has no order.', action: 'create_order' };
    case 'limit':
      return {
        text: `Its order has ${formatNumber(check.received)} of ${count(check.limit, 'lead')}${isOk ? '' : ' and is full'}${!isOk && check.renews ? '; the next order opens shortly' : ''}.`,
        action: 'change_limit',
        what_if: { lead_limit: check.limit * 2 },
      };
    case 'paused':
      return isOk ? { text: 'It is active.' } : { text: 'It is paused.', action: 'resume' };
    case 'review':
      return isOk
        ? { text: 'Its leads need no review.' }
        : { text: 'Each of its leads is held until an admin assigns it (manual review).', action: 'pending' };
    case 'weight':
      return {
        text: isOk
          ? `Its probability is ${formatNumber(check.weight / 100)}%.`
          : `Its probability is 0%; ${formatNumber(check.free / 100)}% is unassigned.`,
        action: 'weights',
        what_if: { probability: check.free > 0 ? check.free / 100 : PROPOSED_PERCENT },
      };
    case 'minimum':
      return {
        text:
          check.minimum === 0
            ? 'It has no minimum investment.'
            : `Its minimum is ${formatEuroShort(check.minimum / 100)}: ${formatNumber(check.below)} of ${count(check.leads, 'lead')} of the last ${CHECKED_DAYS} days were smaller.`,
        action: 'edit_buyer',
        what_if: { min_investment: 0 },
      };
    case 'criteria': {
      const limits = limitsText(check.limits);
      const lifted = withoutLimits(check.limits);
      if (limits === '') return { text: 'It takes every larger amount, every term and every source.' };
      return {
        text: `It takes leads ${limits}: in the last ${CHECKED_DAYS} days ${count(check.missed, 'lead')} did not fit.`,
        action: 'edit_buyer',
        ...(Object.keys(lifted).length > 0 && { what_if: lifted }),
      };
    }
    case 'consent':
      if (!check.required) return { text: 'It also takes leads without consent to be called.' };
      return isOk
        ? { text: `In the last ${CHECKED_DAYS} days it missed no lead because of a missing consent.` }
        : {
            text: `It requires consent to be called: in the last ${CHECKED_DAYS} days ${count(check.missed, 'lead')} came without.`,
            action: 'edit_buyer',
          };
    case 'schedule':
      return isOk
        ? { text: 'It is within its hours.' }
        : {
            text: `It is outside its hours${check.opens ? ` until ${formatDateTime(check.opens)}` : ''}.`,
            action: 'edit_buyer',
          };
    case 'caps':
      return isOk
        ? { text: 'No cap of its order is reached.' }
        : {
            text: `The ${check.by === 'weekly_cap_reached' ? 'weekly' : 'daily'} cap of its order is reached${check.until ? ` until ${formatDateTime(check.until)}` : ''}.`,
            action: 'change_limit',
          };
    case 'channels':
      return check.problem === undefined
        ? {
            text: `Leads are delivered by ${check.on.map((channel) => CHANNEL_DESCRIPTORS[channel].label).join(', ')}.`,
          }
        : {
            text: deliveryProblemText(check.problem, check.order),
            action: check.problem.template === undefined ? 'edit_buyer' : 'edit_template',
          };
    case 'delivery':
      return {
        text: isOk ? 'No delivery has failed.' : deliveryText(check),
        action: 'deliveries',
      };
    case 'intake': {
      const leads = `${count(check.leads, 'lead')} went to buyers in the last ${RECENT_DAYS} days`;
      return {
        text:
          check.silent.length === 0
            ? `${leads}${isOk ? '' : check.waiting ? '; some are pending' : '; none are pending'}.`
            : `${leads}${check.leads === 0 && check.waiting ? '; some are pending' : ''}; sources that stopped sending: ${check.silent.join(', ')}.`,
        action: check.leads === 0 && check.waiting ? 'pending' : 'sources',
      };
    }
    case 'share':
      return { text: shareText(check, isBlocked) };
    case 'persons':
      return {
        text: isOk
          ? `In the last ${CHECKED_DAYS} days no lead was a duplicate for this buyer or of a person that it knows, and it refused none.`
          : `In the last ${CHECKED_DAYS} days ${count(check.already, 'lead')} would have been duplicates for this buyer, ${count(check.known, 'lead')} were of people that it knows, and it refused ${count(check.refused, 'lead')}.`,
      };
    default:
      return check satisfies never;
  }
}

/** The terms that the simulation drops, without those that are not set. */
const withoutLimits = ({ max_investment, min_term, max_term }: Limits) => ({
  ...(max_investment !== null && { max_investment: null }),
  ...(min_term !== null && { min_term: null }),
  ...(max_term !== null && { max_term: null }),
});

/** `up to 50.000 €, of 12 to 60 months, and only from 2 sources`; empty without limits */
export function limitsText({ max_investment, min_term, max_term, ...sources }: Limits): string {
  const { sources_allowed, sources_excluded } = sources;
  const terms = termsText(min_term, max_term);
  const limits = [
    ...(max_investment === null ? [] : [`up to ${formatEuroShort(max_investment / 100)}`]),
    ...(terms === '' ? [] : [`of ${terms}`]),
    ...(sources_allowed.length === 0 ? [] : [`only from ${count(sources_allowed.length, 'source')}`]),
    ...(sources_excluded.length === 0 ? [] : [`not from ${count(sources_excluded.length, 'source')}`]),
  ];
  return new Intl.ListFormat('en').format(limits);
}

function deliveryText({ paused, failed }: Extract<Check, { check: 'delivery' }>): string {
  const parts = [
    ...(paused.length > 0
      ? [`${paused.map((channel) => CHANNEL_DESCRIPTORS[channel].label).join(', ')} is paused after failures`]
      : []),
    ...(failed > 0 ? [`${count(failed, 'delivery', 'deliveries')} failed permanently`] : []),
  ];
  return `${parts.join(', and ')}. Its leads still appear on its list.`;
}

/** A blocked buyer has no turn. */
function shareText({ ahead, turnAfter }: Extract<Check, { check: 'share' }>, isBlocked: boolean): string {
  const leads = `${formatNumber(Math.round(Math.abs(ahead) * 10) / 10)} leads`;
  const turn =
    isBlocked || turnAfter === undefined ? '' : ` Its turn comes after about ${count(turnAfter, 'lead')}.`;
  if (Math.abs(ahead) < 0.05) return `It is exactly on its share.${turn}`;
  return `It is ${leads} ${ahead > 0 ? 'ahead of' : 'behind'} its share.${turn}`;
}

import * as z from 'zod/mini';
import { ALL_CHANNELS, type BuyerChannel } from '#shared/channels/channels';
import * as field from '#shared/contract/fields';
import { publishedWith, when } from '#shared/contract/published';
import { namedTwice, secretAgain, weightRefusals } from '#shared/contract/refusals';
import { buyerRow } from '#shared/contract/rows/buyer';
import { scheduleField } from '#shared/contract/schedule-field';
import {
  both,
  channelFieldRefusals,
  channelRuleRefusals,
  channelSettings,
  chosenFieldRefusals,
  expectedSecret,
  type SecretSetting,
  sentSecret,
} from '#shared/contract/schemas/channel-settings';
import {
  BUYER_TYPES,
  DEFAULT_DECISIONS,
  DEFAULT_MAX_CLAIM_DAYS,
  DEFAULT_MIN_DAYS_FOR_NE,
  MAX_DECISION_DAYS,
  ON_REFUSAL,
} from '#shared/rules/constants';
import { INVALID } from '#shared/rules/invalid-texts';

const MAX_BUYERS = 1000;

type Keywords = Parameters<typeof when>[0];
const isSent = (names: readonly string[]): Keywords => ({
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' as const, pattern: '\\S' }])),
  required: [...names],
});

/**
 * For the API document: an enabled channel requires its fields marked `required`. Those that depend on a choice are named in
 * words, because generators of clients and tests combine all conditions and give up on too many.
 */
const needs = ({ flag, fields }: BuyerChannel): Keywords[] => {
  const always = fields.filter((field) => field.required === true && field.shownWhen === undefined);
  const on = { properties: { [flag]: { enum: [true, 1] } }, required: [flag] };
  return always.length === 0 ? [] : [when(on, isSent(always.map(({ name }) => name)))];
};

const claimDays = field.integer(1, 30, 'Must be a whole number from 1 to 30');

const termField = z.union([field.months, z.null()]);

const settings = <Secret>(secret: (field: SecretSetting) => Secret) => ({
  buyer_email: field.email,
  probability: field.percent,
  min_investment: z.union([field.euro(), z.null()]),
  max_investment: z.union([field.euro(), z.null()]),
  /** Months. */
  min_term: termField,
  max_term: termField,
  /** One of the two lists is empty. A lead without a source is of no allowed source. */
  sources_allowed: field.sourceNumbers,
  sources_excluded: field.sourceNumbers,
  price_per_lead: z.union([field.euro(1_000_000), z.null()]),
  buyer_type: z.enum(BUYER_TYPES, { error: INVALID.buyerType }),
  ...channelSettings(secret),
  manual_review: field.flag,
  /** Only leads whose person agreed to be called. */
  requires_consent: field.flag,
  on_refusal: z.enum(ON_REFUSAL, { error: 'Must be keep or reassign' }),
  max_claim_days: claimDays,
  min_days_for_ne: claimDays,
  /** Working days (Berlin) from filing to the decision of a claim; null: not agreed. Copied to new orders. */
  decision_days: z.union([
    field.integer(1, MAX_DECISION_DAYS, `Must be a whole number from 1 to ${MAX_DECISION_DAYS}`),
    z.null(),
  ]),
  /** For claims that are not decided in time. Copied to new orders. */
  default_decision: z.enum(DEFAULT_DECISIONS, { error: 'Must be none, approve or reject' }),
  /** Percent of the lead limit, rounded up; null: no limit. Copied to new orders. */
  claim_quota_percent: z.union([field.integer(0, 100, 'Must be a whole number from 0 to 100'), z.null()]),
  /** Otherwise the decision is suggested to admins. */
  auto_decide_claims: field.flag,
  link_code: field.flag,
  /** Null: links do not expire. */
  link_days: z.union([field.integer(1, 3650, 'Must be a whole number from 1 to 3650'), z.null()]),
  /** E-mails that the buyer can change on its page, and unsubscribe from. */
  notify_claim_decided: field.flag,
  notify_order_nearly_full: field.flag,
  notify_weekly_statement: field.flag,
  schedule: z.nullable(scheduleField),
  /** 0 pauses the buyer, 1 resumes it. */
  active: field.flag,
});

const changeable = {
  ...settings(sentSecret),
  /** Accepts that a buyer with 100 % sets every other active buyer to 0 %. */
  confirm_exclusive: field.flag,
};

export type BuyerRow = z.output<typeof buyerRow>;

const buyerPath = z.object({ buyerId: field.buyerId });

const termRefusals = {
  'invalid_input.min_days_for_ne': '`min_days_for_ne` exceeds `max_claim_days` (sent, stored or default)',
  'invalid_input.max_investment': '`max_investment` is below `min_investment`',
  'invalid_input.max_term': '`max_term` is below `min_term`',
  'invalid_input.sources_excluded': 'the buyer has sources allowed and excluded',
  unknown_source: 'a listed source does not exist',
  unknown_template: 'the e-mail template does not exist',
};

const hourRefusals = {
  'invalid_input.schedule.to': 'the hours do not end after they start',
};

export const buyerSchemas = {
  listBuyers: {
    summary: 'List all buyers with their open or latest order',
    answer: z.object({ buyers: z.array(buyerRow) }),
  },
  listActiveBuyers: {
    summary: 'List active buyers',
    answer: z.object({ buyers: z.array(buyerRow) }),
  },
  createBuyer: {
    summary: 'Add a buyer',
    refusals: {
      ...weightRefusals,
      ...termRefusals,
      ...hourRefusals,
      ...both(chosenFieldRefusals, channelRuleRefusals),
    },

    body: z
      .object({
        ...z.partial(z.object(changeable)).shape,
        buyer_id: field.buyerId,
        buyer_email: changeable.buyer_email,
        probability: changeable.probability,
      })
      .register(publishedWith, {
        description: `\`min_days_for_ne\` (${DEFAULT_MIN_DAYS_FOR_NE} if left out) may not exceed \`max_claim_days\` (${DEFAULT_MAX_CLAIM_DAYS}).`,
        allOf: ALL_CHANNELS.flatMap(needs),
      }),
    answer: z.object({ message: z.string(), buyer: buyerRow }),
  },
  getBuyer: {
    summary: 'Read a buyer',
    params: buyerPath,
    answer: z.object({ buyer: buyerRow }),
  },
  updateBuyer: {
    summary: 'Change, rename, pause or resume a buyer',
    refusals: {
      ...weightRefusals,
      ...termRefusals,
      ...hourRefusals,
      ...both(channelFieldRefusals, channelRuleRefusals),
      ...secretAgain,
    },

    params: buyerPath,
    body: z
      .object({
        ...z.partial(z.object(changeable)).shape,
        new_buyer_id: z.optional(field.buyerId),
        expected: field.expected(settings(expectedSecret)),
      })
      .register(publishedWith, {
        description:
          'Omitted fields keep their value. The result must satisfy the rules for a new buyer: the required fields of each enabled channel, `min_days_for_ne` at most `max_claim_days`, no maximum below its minimum, and only one list of sources. Changing the server or account of a stored secret requires sending the secret again.',
      }),
    answer: z.object({ message: z.string(), buyer: buyerRow }),
  },
  deleteBuyer: {
    summary: 'Delete a buyer and optionally its links; its orders and leads stay',

    params: buyerPath,
    body: z.object({
      /** By default they stay, as for completed orders. */
      links: z.optional(z.enum(['keep', 'off'])),
    }),
    answer: z.object({ message: z.string() }),
  },
  changeWeights: {
    summary: 'Change the probabilities of several buyers at once',
    refusals: { ...weightRefusals, ...namedTwice },

    body: z
      .object({
        buyers: z
          .array(
            z.object({
              buyer_id: field.buyerId,
              probability: field.percent,
              expected: z.optional(field.percent),
            }),
          )
          .check(z.minLength(1, 'Required'), z.maxLength(MAX_BUYERS))
          .register(publishedWith, { description: 'Each buyer once' }),
        /** Accepts that every other active buyer gets 0 % if those listed have 100 %. */
        confirm_exclusive: z.optional(field.flag),
      })
      .register(publishedWith, {
        description:
          'All or none. The probabilities of the active buyers and those listed may add up to at most 100 %. If a probability differs from the one expected, the answer is 409 `edited_meanwhile`, and `fields` names the buyers.',
      }),
    answer: z.object({ message: z.string() }),
  },
  regenerateToken: {
    summary: 'Replace the link of the buyer’s order',
    params: buyerPath,
    answer: z.object({ excel_link: z.string() }),
  },
  confirmBuyerAddress: {
    summary: 'Mark the buyer’s e-mail address as working again',
    params: buyerPath,
    answer: z.object({ message: z.string(), buyer: buyerRow }),
  },
  getBalance: {
    summary: 'Read the buyer’s balance of replacements',
    params: buyerPath,
    answer: z.object({ balance_count: z.number() }),
  },
} as const;

import * as z from 'zod/mini';
import { ALL_CHANNELS, type BuyerChannel, mapSettings } from '#shared/channels/channels';
import { BUYER_TYPES, DEFAULT_MAX_CLAIM_DAYS, DEFAULT_MIN_DAYS_FOR_NE } from '#shared/contract/constants';
import * as field from '#shared/contract/fields';
import { publishedAs, publishedWith, when } from '#shared/contract/published';
import { buyerRow } from '#shared/contract/rows/buyer';
import { LEAD_MACROS } from '#shared/rules/macros';

const MAX_SECRET_CHARACTERS = 500;
const MAX_MAPPING_ENTRIES = 50;
const MAX_BUYERS = 1000;

/**
 * A mapping from the partner's fields, which match `key`, to fields of a lead.
 * @param keyText the error for other keys
 */
const checkedMapping = (key: RegExp, keyText: string) =>
  z
    .pipe(
      field.entries,
      z.transform((entries, context) => {
        const accepted: [string, string][] = [];
        const refuse = (message: string) => context.issues.push({ code: 'custom', message, input: entries });
        for (const [name, source] of entries) {
          if (!key.test(name)) refuse(`"${name}": ${keyText}`);
          else if (field.RESERVED_KEYS.includes(name)) refuse(`"${name}": cannot be used as a name`);
          else if (typeof source !== 'string' || !LEAD_MACROS.some((macro) => macro === source))
            refuse(`"${name}": must name a lead field (${LEAD_MACROS.join(', ')})`);
          else accepted.push([name, source]);
        }
        if (entries.length > MAX_MAPPING_ENTRIES) refuse(`At most ${MAX_MAPPING_ENTRIES} entries`);
        return Object.fromEntries(accepted);
      }),
    )
    .register(publishedAs, {
      description:
        'From the names of fields of the partner to ours; an empty text for none. The same as JSON text is taken, too.',
      type: ['object', 'null', 'string'],
      maxLength: 0,
      propertyNames: { pattern: key.source, not: { enum: [...field.RESERVED_KEYS] } },
      additionalProperties: { enum: [...LEAD_MACROS] },
      maxProperties: MAX_MAPPING_ENTRIES,
    });

/** For the API document: a channel that is switched on requires its fields marked `required`. */
const needs = ({ flag, fields }: BuyerChannel) => {
  const required = fields.flatMap(({ name, required }) => (required ? [name] : []));
  return when(
    { properties: { [flag]: { enum: [true, 1] } }, required: [flag] },
    {
      properties: Object.fromEntries(
        required.map((name) => [name, { type: 'string' as const, pattern: '\\S' }]),
      ),
      required,
    },
  );
};

const claimDays = field.integer(1, 30, 'Must be a whole number from 1 to 30');

/** A secret can be set without being seen, so an edit of it is not compared, whatever is sent. */
const unseenSecret = z.pipe(
  field.optionalLine(MAX_SECRET_CHARACTERS),
  z.transform(() => undefined),
);

/** @param secret the schema of the channels' secrets */
const settings = <Secret>(secret: Secret) => ({
  buyer_email: field.email,
  probability: field.percent,
  min_investment: z.union([field.euro(), z.null()]),
  price_per_lead: z.union([field.euro(1_000_000), z.null()]),
  buyer_type: z.enum(BUYER_TYPES, { error: 'Please select a valid buyer type' }),
  ...mapSettings({
    flag: () => field.flag,
    text: ({ maxLength }) => field.optionalLine(maxLength),
    host: () => z.union([field.host, z.literal(''), z.null()]),
    secret: () => secret,
    template: () => z.union([field.entityId, z.literal(''), z.null()]),
    mapping: ({ keys, keysText }) => checkedMapping(keys, keysText),
  }),
  manual_review: field.flag,
  max_claim_days: claimDays,
  min_days_for_ne: claimDays,
  /** Whether links open on a device only after a code sent to `buyer_email`. */
  link_code: field.flag,
  /** Days after which links expire; null: never. */
  link_days: z.union([field.integer(1, 3650, 'Must be a whole number from 1 to 3650'), z.null()]),
  /** 0 pauses the buyer, 1 resumes it. */
  active: field.flag,
});

const changeable = {
  ...settings(field.optionalLine(MAX_SECRET_CHARACTERS)),
  /** Agrees that setting this buyer to 100 % sets every other active buyer to 0 %. */
  confirm_exclusive: field.flag,
};

export type BuyerRow = z.output<typeof buyerRow>;

const buyerPath = z.object({ buyerId: field.buyerId });

export const buyerSchemas = {
  listBuyers: { answer: z.object({ buyers: z.array(buyerRow) }) },
  listActiveBuyers: { answer: z.object({ buyers: z.array(buyerRow) }) },
  createBuyer: {
    body: z
      .object({
        ...z.partial(z.object(changeable)).shape,
        buyer_id: field.buyerId,
        buyer_email: changeable.buyer_email,
        probability: changeable.probability,
      })
      .register(publishedWith, {
        description: `\`min_days_for_ne\` (${DEFAULT_MIN_DAYS_FOR_NE} if left out) may not exceed \`max_claim_days\` (${DEFAULT_MAX_CLAIM_DAYS}).`,
        allOf: ALL_CHANNELS.filter(({ fields }) => fields.some(({ required }) => required)).map(needs),
      }),
    answer: z.object({ message: z.string(), buyer: buyerRow }),
  },
  getBuyer: { params: buyerPath, answer: z.object({ buyer: buyerRow }) },
  updateBuyer: {
    params: buyerPath,
    body: z
      .object({
        ...z.partial(z.object(changeable)).shape,
        new_buyer_id: z.optional(field.buyerId),
        seen: z.optional(z.partial(z.object(settings(unseenSecret))).register(publishedWith, field.SEEN)),
      })
      .register(publishedWith, {
        description:
          'What is left out stays as it is. The result must hold what is required of a new buyer: what a channel that is on needs, and `min_days_for_ne` at most `max_claim_days`. A stored secret must be sent again with a change of the server or account that it goes to.',
      }),
    answer: z.object({ message: z.string(), buyer: buyerRow }),
  },
  deleteBuyer: {
    params: buyerPath,
    body: z.object({
      /** What becomes of the links of its orders: by default they stay, as they do for every completed order. */
      links: z.optional(z.enum(['keep', 'off'])),
    }),
    answer: z.object({ message: z.string() }),
  },
  changeWeights: {
    body: z
      .object({
        buyers: z
          .array(
            z.object({
              buyer_id: field.buyerId,
              probability: field.percent,
              /** The probability when the edit began. */
              seen: z.optional(field.percent),
            }),
          )
          .check(z.minLength(1, 'Required'), z.maxLength(MAX_BUYERS))
          .register(publishedWith, { description: 'No buyer twice' }),
        /** Agrees that every other active buyer goes to 0 % where those named here have 100 % together. */
        confirm_exclusive: z.optional(field.flag),
      })
      .register(publishedWith, {
        description:
          'All or none. The active buyers and those named here may have at most 100 % together. If a probability is not as it was `seen`, the answer is 409 `edited_meanwhile`, which names the buyers in `fields`.',
      }),
    answer: z.object({ message: z.string() }),
  },
  regenerateToken: { params: buyerPath, answer: z.object({ excel_link: z.string() }) },
  getBalance: { params: buyerPath, answer: z.object({ balance_count: z.number() }) },
} as const;

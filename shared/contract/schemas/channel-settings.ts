/** Channel settings in requests and the errors about them, derived from the descriptors. */
import * as z from 'zod/mini';
import { ALL_CHANNELS, type BuyerChannelField, mapSettings, type Setting } from '#shared/channels/channels';
import * as field from '#shared/contract/fields';
import { publishedAs } from '#shared/contract/published';
import { type Refusals } from '#shared/contract/refusals';
import { RULE_SUBJECTS, VERDICTS } from '#shared/rules/answer-rules';
import { SECRET_MASK } from '#shared/rules/constants';
import { LEAD_MACROS } from '#shared/rules/macros';

const MAX_SECRET_CHARACTERS = 500;
const MAX_MAPPING_ENTRIES = 50;
const MAX_NAME_CHARACTERS = 100;
const MAX_VALUE_CHARACTERS = 1000;

export type SecretSetting = Extract<Setting, { readonly kind: 'secret' }>;

/** From the partner's fields, which match `key`, to lead fields. */
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
      description: 'Maps the partner’s field names to ours; empty for no mapping. JSON text is accepted too.',
      type: ['object', 'null', 'string'],
      maxLength: 0,
      propertyNames: { pattern: key.source, not: { enum: [...field.RESERVED_KEYS] } },
      additionalProperties: { enum: [...LEAD_MACROS] },
      maxProperties: MAX_MAPPING_ENTRIES,
    });

/** The mask keeps the stored secret. */
export const sentSecret = ({ pattern, patternText = 'This value is not possible' }: SecretSetting) => {
  const secret = field.optionalLine(MAX_SECRET_CHARACTERS);
  return pattern === undefined
    ? secret
    : secret
        .check(
          z.refine((text) => text === undefined || text === SECRET_MASK || pattern.test(text), patternText),
        )
        .register(publishedAs, {
          type: ['string', 'null'],
          pattern: `^\\s*$|^\\s*\\*{8}\\s*$|${pattern.source}`,
          maxLength: MAX_SECRET_CHARACTERS,
        });
};

/** A secret is never shown, so its old value is not compared. */
export const expectedSecret = () =>
  z.pipe(
    field.optionalLine(MAX_SECRET_CHARACTERS),
    z.transform(() => undefined),
  );

const pair = z.object({
  name: field.line(MAX_NAME_CHARACTERS),
  value: field.line(MAX_VALUE_CHARACTERS, 0),
});

const answerRule = z.object({
  subject: z.enum(RULE_SUBJECTS),
  path: field.line(200, 0),
  value: field.line(200),
  verdict: z.enum(VERDICTS),
});

export const channelSettings = <Secret>(secret: (field: SecretSetting) => Secret) =>
  mapSettings({
    flag: () => field.flag,
    text: ({ maxLength }) => field.optionalLine(maxLength),
    choice: ({ options }) => z.enum(options.map(({ value }) => value)),
    host: () => z.union([field.host, z.literal(''), z.null()]),
    address: ({ maxLength }) => field.optionalLine(maxLength),
    area: ({ maxLength }) => field.optionalText(maxLength),
    secret,
    template: () => z.union([field.entityId, z.literal(''), z.null()]),
    mapping: ({ keys, keysText }) => checkedMapping(keys, keysText),
    pairs: ({ maxEntries }) => z.array(pair).check(z.maxLength(maxEntries, `At most ${maxEntries} entries`)),
    rules: ({ maxEntries }) =>
      z.array(answerRule).check(z.maxLength(maxEntries, `At most ${maxEntries} entries`)),
  });

const missing = (isMeant: (field: BuyerChannelField) => boolean): Refusals =>
  Object.fromEntries(
    ALL_CHANNELS.flatMap(({ fields, label }) =>
      fields
        .filter((field) => field.required === true && isMeant(field))
        .map(({ name }) => [
          `invalid_input.${name}`,
          `${label} is on, but \`${name}\` is neither sent nor stored`,
        ]),
    ),
  );

/** The result of an edit must have what an enabled channel requires. */
export const channelFieldRefusals = missing(() => true);

/** The fields that a channel requires with some of its choices only. */
export const chosenFieldRefusals = missing(({ shownWhen }) => shownWhen !== undefined);

/** Rules over several fields, which JSON Schema cannot express. */
export const channelRuleRefusals: Refusals = {
  ...Object.fromEntries(
    [
      ['http_url', 'not an https address, or it contains an unknown macro'],
      ['http_headers', 'a header that is reserved, repeated or would reveal a secret'],
      ['http_key_name', 'not a valid header name'],
      ['http_body', 'an unknown macro, or not the format of `http_body_kind`'],
      ['http_rules', 'a rule without a status or path'],
      ['http_id_path', 'not a path'],
    ].map(([name, text]) => [`invalid_input.${name}`, `HTTP is on, but \`${name}\` is invalid: ${text}`]),
  ),
  ...Object.fromEntries(
    ['heroleads', 'sellanylead'].flatMap((channel) =>
      ['request', 'rules', 'id_path'].map((name) => [
        `invalid_input.${channel}_${name}`,
        `${channel} is on, but \`${channel}_${name}\` is invalid, for the same reasons as the HTTP fields`,
      ]),
    ),
  ),
  invalid_input: 'several fields are invalid',
};

export const both = (one: Refusals, other: Refusals): Refusals => ({
  ...one,
  ...Object.fromEntries(
    Object.entries(other).map(([code, text]) => [
      code,
      one[code] === undefined ? text : `${one[code]}; or ${text}`,
    ]),
  ),
});

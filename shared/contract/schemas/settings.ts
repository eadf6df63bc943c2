import * as z from 'zod/mini';
import * as field from '#shared/contract/fields';
import { publishedWith, when } from '#shared/contract/published';
import { type Refusals, secretAgain } from '#shared/contract/refusals';
import { companyRow } from '#shared/contract/rows/company';
import { pushoverCredential } from '#shared/contract/rows/pushover-credential';
import { webhookSchemas } from '#shared/contract/schemas/webhooks';
import { COMPANY_LIMITS } from '#shared/rules/company';
import {
  ALERT_KINDS,
  ALERT_MEDIA,
  ALERT_THRESHOLDS,
  type AlertKind,
  type AlertThreshold,
  MAX_ALERT_ADDRESSES,
  MAX_CONSENT_YEARS,
  mapAlertKinds,
  RETENTION_KINDS,
  SECRET_MASK,
} from '#shared/rules/constants';
import { INVALID } from '#shared/rules/invalid-texts';
import { EMAIL_MACROS, PUSH_MACROS, unknownMacroPattern, unknownMacros } from '#shared/rules/macros';
import { WEB_ADDRESS_OR_NONE } from '#shared/rules/validation';

const verification = {
  email_verification: z.boolean(),
  phone_verification: z.boolean(),
  name_verification: z.boolean(),
};

const statusPage = { public: z.boolean() };

const webAddress = field.matching(WEB_ADDRESS_OR_NONE, INVALID.webAddress);
/** Empty texts are not shown. */
const company = {
  name: field.line(COMPANY_LIMITS.name, 0),
  address: field.text(COMPANY_LIMITS.address),
  imprint_url: webAddress,
  privacy_url: webAddress,
  privacy_contact: field.line(COMPANY_LIMITS.privacy_contact, 0),
};

const macroText = (max: number, macros: readonly string[]) =>
  field
    .text(max)
    .check(
      // All texts of a template are in one table item of at most 400 KB.
      z.refine((value) => new TextEncoder().encode(value).length <= 2 * max, `At most ${2 * max} bytes`),
      z.superRefine((value, context) => {
        for (const name of unknownMacros(value, macros))
          context.addIssue({ code: 'custom', message: `Unknown macro $$${name}$$` });
      }),
    )
    .register(publishedWith, {
      description: `At most ${2 * max} bytes in UTF-8. Macros: ${macros.map((name) => `\`$$${name}$$\``).join(', ')}`,
      not: { pattern: unknownMacroPattern(macros) },
    });

const filledText = (max: number, macros: readonly string[]) =>
  macroText(max, macros)
    .check(z.refine((value) => value.trim() !== '', 'Required'))
    .register(publishedWith, { allOf: [{ pattern: '\\S' }] });

const templateFields = {
  name: field.line(100, 1, 'Template name is required'),
  smtp_host: field.host,
  smtp_port: field
    .integer(1, 65_535)
    .check(z.refine((port) => port !== 25, 'Port 25 is blocked in the cloud; use 587 or 465'))
    .register(publishedWith, { not: { enum: [25] } }),
  smtp_user: field.line(200),
  smtp_pass: z.string().check(z.minLength(1, 'Required'), z.maxLength(500)),
  smtp_from: z.optional(z.union([field.email, z.literal(''), z.null()])),
  smtp_subject: filledText(500, EMAIL_MACROS),
  smtp_body: z.optional(macroText(50_000, EMAIL_MACROS)),
  smtp_html_body: z.optional(macroText(100_000, EMAIL_MACROS)),
};

/** Stored templates may be older than the checks of subject and port. */
const expectedTemplateFields = {
  ...z.omit(z.object(templateFields), { smtp_pass: true }).shape,
  smtp_port: field.integer(1, 65_535),
  smtp_subject: z.string(),
};

const newTemplate = {
  ...templateFields,
  copy_of: z.optional(field.entityId),
};
const COPIED_PASSWORD = {
  description: `With \`copy_of\` and the same server, port and user, the password ${SECRET_MASK} means that of the template copied.`,
  ...when(
    { properties: { smtp_pass: { enum: [SECRET_MASK] } } },
    { properties: { copy_of: { type: 'string' } }, required: ['copy_of'] },
  ),
};

const template = z.object({
  id: z.string(),
  name: z.string(),
  smtp_host: z.string(),
  smtp_port: z.number(),
  smtp_user: z.string(),
  smtp_pass: z.string(),
  smtp_from: z.string(),
  smtp_subject: z.string(),
  smtp_body: z.string(),
  smtp_html_body: z.string(),
});
export type EmailTemplateRow = z.output<typeof template>;

const pushoverKey = field.matching(/^[A-Za-z0-9]{30}$/, '30 letters and digits expected');

const keptDays = field.integer(1, 3650);
const byKind = <Days>(days: Days) => ({ delivered: days, pending: days, rejected: days });
/** Days; null keeps the leads. */
const retention = {
  ...byKind(z.nullable(keptDays)),
  /** Of the proof of a consent, after the erasure of its person; null removes it with the person. */
  consent_years: z.nullable(field.integer(1, MAX_CONSENT_YEARS)),
};
const retentionAnswer = { days: z.object(byKind(z.nullable(z.int()))), consent_years: z.nullable(z.int()) };

const alertNumber = ({ min, max }: AlertThreshold) => field.integer(min, max);
const alertThreshold = (kind: AlertKind) => {
  const limits = ALERT_THRESHOLDS[kind];
  return limits === null ? z.null() : alertNumber(limits);
};
/** Null: the alert has no threshold. */
const alertRules = mapAlertKinds((kind) =>
  z.object({ email: z.boolean(), push: z.boolean(), threshold: alertThreshold(kind) }),
);
const alertSettings = {
  /** None: the operator's address. */
  emails: field.distinct(
    z.array(field.email).check(z.maxLength(MAX_ALERT_ADDRESSES, `At most ${MAX_ALERT_ADDRESSES} addresses`)),
  ),
  ...alertRules,
};
const alertSettingsAnswer = z.object({
  emails: z.array(z.string()),
  ...mapAlertKinds(() => z.object({ email: z.boolean(), push: z.boolean(), threshold: z.nullable(z.int()) })),
});

const idPath = z.object({ id: field.entityId });
const message = z.object({ message: z.string() });
const testResult = z.object({ message: z.string(), ok: z.boolean(), detail: z.nullable(z.string()) });

const tooManyBytes = (...fields: readonly string[]): Refusals =>
  Object.fromEntries(
    fields.map((field) => [
      `invalid_input.${field}`,
      `\`${field}\` has more bytes in UTF-8 than twice the characters it may have`,
    ]),
  );

const unusableTemplate = {
  unusable_template:
    'neither `smtp_from` nor `smtp_user` is an e-mail address, the port is 25, the subject is blank, or both bodies are',
};

const templateBytes = tooManyBytes('smtp_subject', 'smtp_body', 'smtp_html_body');

export const settingSchemas = {
  getVerificationSettings: {
    summary: 'Read which verifications are on',
    answer: z.object(verification),
  },
  saveVerificationSettings: {
    summary: 'Turn verifications on or off',

    body: field.edit(verification),
    answer: z.object({ message: z.string(), settings: z.object(verification) }),
  },
  getRetention: {
    summary: 'Read the retention periods and today’s progress',

    answer: z.object({
      ...retentionAnswer,
      /** The pass that started last. */
      pass: z.nullable(z.object({ day: z.string(), erased: z.int(), over: z.boolean() })),
    }),
  },
  saveRetention: {
    summary: 'Set the retention periods',

    body: field.edit(retention),
    answer: z.object({ message: z.string(), ...retentionAnswer }),
  },
  previewRetention: {
    summary: 'Count the leads that other periods would erase',

    query: z.object(byKind(z.optional(keptDays))),
    answer: z.object({
      kinds: z.array(
        z.object({
          kind: z.enum(RETENTION_KINDS),
          leads: z.int(),
          /** Old enough, but kept: open claim, owed replacement, or not delivered. */
          held_back: z.int(),
          oldest: z.nullable(z.string()),
          newest: z.nullable(z.string()),
          /** More exist than were examined. */
          more: z.boolean(),
        }),
      ),
    }),
  },
  getAlertSettings: {
    summary: 'Read the alert settings',

    answer: z.object({
      settings: alertSettingsAnswer,
      /** Where alerts go without addresses; null: the stage has none. */
      operator: z.nullable(z.string()),
      /** Whether the stage has a sender for system e-mail. */
      sender: z.boolean(),
      credentials: z.int(),
    }),
  },
  saveAlertSettings: {
    summary: 'Change the alert settings',

    body: field.edit(alertSettings),
    answer: z.object({ message: z.string(), settings: alertSettingsAnswer }),
  },
  previewAlerts: {
    summary: 'List active alerts, optionally with other thresholds',

    query: z.object({
      order_nearly_full: z.optional(alertNumber(ALERT_THRESHOLDS.order_nearly_full)),
      buyer_without_leads: z.optional(alertNumber(ALERT_THRESHOLDS.buyer_without_leads)),
      leads_waiting: z.optional(alertNumber(ALERT_THRESHOLDS.leads_waiting)),
      claims_waiting: z.optional(alertNumber(ALERT_THRESHOLDS.claims_waiting)),
      replacements_owed: z.optional(alertNumber(ALERT_THRESHOLDS.replacements_owed)),
    }),
    answer: z.object({
      /** Without the kinds that an event or a time of day triggers. */
      active_alerts: z.array(z.object({ kind: z.enum(ALERT_KINDS), text: z.string() })),
    }),
  },
  sendTestAlert: {
    summary: 'Send a test alert by e-mail or push to all recipients',
    body: z.object({ medium: z.enum(ALERT_MEDIA) }),
    answer: testResult,
  },
  getStatusPage: {
    summary: 'Read whether the status page is public',
    answer: z.object(statusPage),
  },
  saveStatusPage: {
    summary: 'Turn the public status page on or off',

    body: z.object({ ...statusPage, expected: field.expected(statusPage) }),
    answer: z.object({ message: z.string(), ...statusPage }),
  },
  saveCompany: {
    summary: 'Change the company details on public pages and in e-mails',

    body: field.edit(company),
    answer: z.object({ message: z.string(), company: companyRow }),
  },
  listEmailTemplates: {
    summary: 'List the e-mail templates',
    answer: z.array(template),
  },
  createEmailTemplate: {
    summary: 'Add an e-mail template',
    refusals: { ...secretAgain, ...templateBytes, ...unusableTemplate },

    body: z.object(newTemplate).register(publishedWith, COPIED_PASSWORD),
    answer: z.object({ message: z.string(), template }),
  },
  updateEmailTemplate: {
    summary: 'Change an e-mail template',
    refusals: { ...secretAgain, ...templateBytes, ...unusableTemplate },

    params: idPath,
    body: z
      .object({
        ...z.partial(z.object(templateFields)).shape,
        expected: field.expected(expectedTemplateFields),
      })
      .register(publishedWith, {
        description:
          'Omitted fields keep their value. If the server, port or user changes, the password must be sent again.',
      }),
    answer: z.object({ message: z.string(), template }),
  },
  deleteEmailTemplate: {
    summary: 'Delete an e-mail template that is not in use',
    params: idPath,
    answer: message,
  },
  tryEmailTemplate: {
    summary: 'Send a test e-mail with an unsaved template',
    refusals: { ...secretAgain, ...templateBytes, ...unusableTemplate },

    body: z.object({ ...newTemplate, to: field.email }).register(publishedWith, COPIED_PASSWORD),
    answer: testResult,
  },
  sendTestEmail: {
    summary: 'Send a test e-mail with a template',
    params: idPath,
    body: z.object({ to: field.email }),
    answer: testResult,
  },
  getPushoverTemplate: {
    summary: 'Read the text of push notifications',
    answer: z.object({ template: z.string() }),
  },
  savePushoverTemplate: {
    summary: 'Replace the text of push notifications',
    refusals: tooManyBytes('template'),

    body: z.object({
      template: filledText(2000, PUSH_MACROS),
      expected: field.expected({ template: z.string() }),
    }),
    answer: z.object({ message: z.string(), template: z.string() }),
  },
  listPushoverCredentials: {
    summary: 'List the push credentials',
    answer: z.array(pushoverCredential),
  },
  createPushoverCredential: {
    summary: 'Add push credentials',

    body: z.object({
      user_key: pushoverKey,
      app_key: pushoverKey,
      notify_lead_assignment: z._default(field.flag, false),
      notify_lead_claims: z._default(field.flag, false),
    }),
    answer: z.object({ message: z.string(), credential: pushoverCredential }),
  },
  updatePushoverCredential: {
    summary: 'Choose which events push credentials are notified of',

    params: idPath,
    body: z.partial(z.object({ notify_lead_assignment: field.flag, notify_lead_claims: field.flag })),
    answer: z.object({ message: z.string(), credential: pushoverCredential }),
  },
  deletePushoverCredential: {
    summary: 'Delete push credentials',
    params: idPath,
    answer: message,
  },
  sendTestPush: {
    summary: 'Send a test push notification',
    params: idPath,
    answer: testResult,
  },
  ...webhookSchemas,
} as const;

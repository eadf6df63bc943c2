/**
 * What a call refuses with 400 although the request fits its schema, by the code of the answer, after a dot the one field
 * that is named: rules over what is stored, and those that JSON Schema has no words for. The API document lists them, and
 * tests hold that there are no others.
 */
import { ALL_CHANNELS } from '#shared/channels/channels';
import type { EndpointId } from '#shared/contract/routes';

/** Code to sentence. */
type Refusals = Readonly<Record<string, string>>;

const weights = {
  probability_exceeded: 'the weights of all buyers that are on and have an order would exceed 100 %',
};
const terms = {
  'invalid_input.min_days_for_ne': '`min_days_for_ne` exceeds `max_claim_days`, sent, stored or default',
  unknown_template: 'there is no such e-mail template',
};
const hours = { 'invalid_input.schedule.to': 'the end of the hours is not later than their beginning' };
const endDates = {
  'invalid_input.ends_on': '`ends_on` is no day, in the past, or more than two years ahead',
};
const secretAgain = {
  secret_required: 'a stored secret would go to another server or account, and was not sent again',
};
const namedTwice = { buyer_named_twice: 'a buyer is named twice' };
const cursors = { invalid_cursor: 'the cursor is not one of this list with these filters' };
const days = {
  no_such_day: 'a day is not in the calendar',
  days_reversed: 'the first day is after the last one',
  too_many_days: 'the days are more than two years',
};
const claimRules = {
  claim_mismatch: 'lead, order and buyer do not belong together',
  claim_window_closed: 'the time for claims is over',
  invalid_delivery_date: 'the lead has no date of delivery',
  ne_too_early: 'the reason `ne` cannot be chosen yet',
};

const addresses = { 'invalid_input.addresses': 'one of `addresses` is no IP address and no range of them' };

/** The result of an edit must have what a channel that is on needs. */
const channelFields = Object.fromEntries(
  ALL_CHANNELS.flatMap(({ fields, label }) =>
    fields
      .filter(({ required }) => required)
      .map(({ name }) => [
        `invalid_input.${name}`,
        `${label} is on and \`${name}\` is neither sent nor stored`,
      ]),
  ),
);

/** What the rules over several fields of a channel may say, which JSON Schema has no words for. */
const channelRules: Refusals = {
  ...Object.fromEntries(
    [
      ['http_url', 'no address with https, or a macro in it that is unknown'],
      ['http_headers', 'a header that is set otherwise, is there twice or would show a secret'],
      ['http_key_name', 'no name of a header'],
      ['http_body', 'an unknown macro, or not what `http_body_kind` says'],
      ['http_rules', 'a rule that names no status or path'],
      ['http_id_path', 'no path'],
    ].map(([name, text]) => [`invalid_input.${name}`, `HTTP is on and \`${name}\` is wrong: ${text}`]),
  ),
  invalid_input: 'several fields are wrong',
};

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

/** The reasons of two groups for the same field in one sentence. */
const both = (one: Refusals, other: Refusals): Refusals => ({
  ...one,
  ...Object.fromEntries(
    Object.entries(other).map(([code, text]) => [
      code,
      one[code] === undefined ? text : `${one[code]}; or ${text}`,
    ]),
  ),
});

const wrongPassword = { wrong_password: 'this is not the password of whoever calls' };

export const refusals: Readonly<Partial<Record<EndpointId, Refusals>>> = {
  createBuyer: { ...weights, ...terms, ...hours, ...channelRules },
  changeWeights: { ...weights, ...namedTwice },
  updateBuyer: { ...weights, ...terms, ...hours, ...both(channelFields, channelRules), ...secretAgain },
  tryChannel: { ...both(channelFields, channelRules), ...secretAgain },
  updateOrderRenewal: { renewal_needs_postpay: 'a prepay order is to renew itself' },
  createOrder: {
    renewal_needs_postpay: 'a prepay order is to renew itself',
    ...endDates,
    ...weights,
    invalid_balance: 'the balance has fewer replacements, or the buyer pays afterwards and gets none',
  },
  updateOrderLimit: {
    ...weights,
    ...endDates,
    invalid_lead_limit: 'more leads than that were received already',
  },
  previewOrder: endDates,
  restoreLastDeletedOrder: weights,
  confirmLinkCode: { wrong_code: 'the code is wrong, old, or was used' },
  fileClaim: claimRules,
  simulate: {
    ...namedTwice,
    too_many_leads: 'too many leads came in over these days',
  },
  listErasures: cursors,
  listCallbacks: cursors,
  getBuyerStats: days,
  exportBuyerStats: days,
  getSourceStats: days,
  exportAccounting: { months_reversed: 'the first month is after the last one' },
  listDeliveries: {
    ...cursors,
    buyer_required: 'the status `delivered` or `pending` was asked for without a buyer',
  },
  listAudit: { ...cursors, entity_required: '`entity_id` was sent without `entity`' },
  createSource: addresses,
  updateSource: addresses,
  importLeads: { invalid_dry_run: '`dry_run` is not what the answer before had as `next`' },
  postIntake: { too_many_leads: 'the source may not post so many leads in a minute' },
  createEmailTemplate: { ...secretAgain, ...templateBytes, ...unusableTemplate },
  tryEmailTemplate: { ...secretAgain, ...templateBytes, ...unusableTemplate },
  changePassword: wrongPassword,
  proveAdmin: {
    ...wrongPassword,
    wrong_passkey: 'this is not the passkey of whoever calls',
    invalid_input: 'neither a password nor a passkey was sent',
  },
  finishLogin: { invalid_input: 'neither a passkey nor a code was sent' },
  addPasskey: {
    invalid_passkey: 'the passkey was not made for this challenge, on this site, by a verified user',
  },
  inviteAdmin: { name_reserved: 'the audit trail uses this name for something else than an admin' },
  updateEmailTemplate: { ...secretAgain, ...templateBytes, ...unusableTemplate },
  savePushoverTemplate: tooManyBytes('template'),
};

/** `code`, or `code.field` where one field is named, of an answer with status 400. */
export function refusalName(code: string, fields: Readonly<Record<string, string>> = {}): string {
  const [field, ...others] = Object.keys(fields);
  return code === 'invalid_input' && field !== undefined && others.length === 0 ? `${code}.${field}` : code;
}

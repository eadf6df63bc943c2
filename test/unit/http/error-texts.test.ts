/** Every refusal of the server, with its code and its text, written by hand: clients depend on the one, people read the other. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const REFUSALS = `
  address_refused: This source may not post from this address
  admin_exists: There is an admin {username} already
  already_asked: Sie haben schon nachbestellt.
  already_confirmed: This buyer has confirmed already
  already_on_its_way: This callback is already on its way
  already_on_its_way: This delivery is already on its way
  buyer_has_no_room: Buyer {buyerId} has no open order with room for another lead
  buyer_id_taken: The buyer ID {buyerId} is already taken
  buyer_named_twice: Buyer {buyerId} is named twice
  buyer_named_twice: The buyer {buyerId} is named twice
  buyer_not_found: Buyer {buyerId} not found
  buyer_required: Please choose a buyer to see these deliveries
  challenge_over: This took too long. Please try again.
  changed_meanwhile: Somebody else changed this at the same moment. Please try again.
  claim_already_decided: This claim has already been {claim.claim_status}
  claim_already_reversed: The decision of this claim was reversed already
  claim_mismatch: Lead, order and buyer do not belong together
  claim_pending: A lead with a pending claim cannot be deleted
  days_reversed: The first day is after the last one
  edited_meanwhile: Somebody else has changed this meanwhile.
  endpoint_gone: The {endpoint} is switched off. Please save it again first.
  entity_required: Please choose what the ID belongs to
  external_id_reused: This ID was used for another lead
  foreign_origin: Calls from another site are refused
  foreign_origin: This source may not post from pages of this site
  idempotency_key_reused: This Idempotency-Key was used for another lead
  invalid_balance: A postpay order delivers no replacements
  invalid_balance: Only {buyer.balance_count} replacements are in the balance
  invalid_balance: {fieldLabel('balance_amount')}: {text}
  invalid_code: This code does not let you in
  invalid_credentials: Invalid credentials
  invalid_cursor: There is no such page of this list
  invalid_dry_run: This is not where a dry run stands
  invalid_idempotency_key: Idempotency-Key: 1 to 200 visible characters
  invalid_input: Please show a password, a passkey or a code
  invalid_input: {wrong} is no IP address and no range of them
  invalid_json: The request is not valid JSON
  invalid_key: Authorization: Bearer with a valid key is required
  invalid_lead_limit: Invalid lead limit: it cannot be below the {leads_received} already delivered
  invalid_passkey: This passkey could not be registered
  invalid_passkey: This passkey does not let you in
  invitation_not_found: This link is not valid any more. Please ask an admin for a new one.
  last_admin: Nobody else could log in. Please invite another admin first.
  last_passkey: Passkeys are demanded. Please register another one first.
  lead_deleted_since: The lead was deleted since; the decision stands
  lead_not_claimable: This lead is no longer in this list
  lead_not_editable: This lead cannot be edited
  lead_not_listed: This lead is no longer in this list
  lead_not_pending: This lead is no longer pending
  lead_removed: This lead was taken in and has been removed since
  lead_under_review: This lead waits for a manual review: assign or discard it
  link_code_required: Bitte geben Sie den Code aus unserer E-Mail ein.
  link_required: Please open the list by its link
  months_reversed: The first month is after the last one
  name_reserved: Please choose another name
  no_code_needed: Für diesen Link ist kein Code nötig.
  no_endpoint: The source has no {endpoint}. Please set its address first.
  no_passkey: You have no passkey
  no_reorder: Zu dieser Liste kann nicht nachbestellt werden.
  no_such_day: There is no such day
  no_working_link: None of this buyer’s links works. Please renew the link of an order.
  not_decided_by_rule: Only a decision that the product made by itself can be reversed
  not_logged_in: Please log in
  only_secret: Webhooks are signed by this secret. Please create another one first.
  order_already_deleted: This order is already deleted
  order_already_open: This buyer already has an open order
  order_followed: This order is not followed by another one
  order_in_use: A lead is on its way to the latest order of this buyer. Please try again in a minute.
  origin_closed: Not available at this address
  own_access: You cannot reset yourself. Please change your password instead.
  passkey_demanded: Please register a passkey first.
  passkey_needed: Please register a passkey and keep recovery codes first.
  password_required: Please enter the SMTP password
  payload_too_large: The request is too large
  person_erased: The person of this lead was erased
  person_erased: These leads are erased already
  person_known_otherwise: A later lead of the person was made good because of this one
  proof_required: Please confirm that it is you.
  refused_by_buyer: Buyer {buyerId} has refused this lead
  renewal_needs_postpay: A prepay order cannot renew itself, because its leads are paid before
  reorder_decided: Nobody waits for an answer about this order
  replacement_delivered: The replacement for this claim has been delivered already; the approval stands
  request_under_way: An earlier request with this Idempotency-Key is under way
  reversal_too_late: A decision can be reversed within {REVERSAL_HOURS} hours; this one is final
  route_not_found: Not found
  secret_required: The destination has changed. Please enter its password or key again.
  source_full: All {source.in_total} leads of this source have come in
  source_not_live: Leads can be taken in only while the source is live
  source_paused: This source is paused
  taken_over: The lead was stored and is being distributed
  template_in_use: This email template is used by {namesOf(users)}. Please choose another one there first.
  token_mismatch: Lead, order and buyer are not those of this link
  told_by_hand: This buyer has no e-mail address to write to
  too_many_attempts: Bitte fragen Sie frühestens morgen noch einmal.
  too_many_attempts: Too many attempts. Please try again later.
  too_many_attempts: Zu viele Versuche. Bitte versuchen Sie es später noch einmal.
  too_many_days: Please choose two years at most
  too_many_invitations: Too many links are open. Please withdraw one first.
  too_many_leads: At most {source.per_minute} leads a minute
  too_many_leads: More than {MAX_LEADS} leads: please choose fewer days
  too_many_passkeys: You have ten passkeys. Please remove one first.
  two_keys: The source has two keys. Please revoke the one that is no longer used first.
  two_secrets: There are two secrets. Please revoke the one that is no longer used first.
  unknown_template: The e-mail template does not exist
  unsupported_media_type: Please send JSON (application/json)
  wrong_code: Dieser Code ist falsch oder abgelaufen.
  wrong_passkey: This is not your passkey
  wrong_password: This is not your password
`;

/** Each is followed by "not found" and is a code as well: `deleted_order_not_found`. */
const NOT_FOUND = [
  'Admin',
  'Buyer',
  'Callback',
  'Claim',
  'Deleted order',
  'Delivery',
  'Email template',
  'Erasure',
  'Invitation',
  'Key',
  'Lead',
  'Link',
  'Order',
  'Passkey',
  'Pushover credential',
  'Secret',
  'Session',
  'Source',
  'Specification',
  'Token',
];

const FUNCTIONS = join(import.meta.dirname, '..', '..', '..', 'functions');
const code = readdirSync(FUNCTIONS, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(FUNCTIONS, name), 'utf8'))
  .filter((text) => /domain\/common\/errors|class DomainError/.test(text))
  .join('\n');

const plain = (literal: string) => literal.slice(1, -1).replaceAll('${', '{');
const TEXT = String.raw`'[^'\n]*'|\`[^\`]*\``;
const matches = (pattern: string) => Array.from(code.matchAll(new RegExp(pattern, 'g')));

it('is one of these', () => {
  const thrown = [
    ...matches(
      String.raw`(?:(?:new DomainError|\brefusal)\(\s*'\w+',|\b(?:invalid|conflict|forbidden)\()\s*'(\w+)',\s*(${TEXT})`,
    ),
    // A text that is the message and that of its field.
    ...matches(String.raw`const text = (${TEXT});\s*throw invalid\('(\w+)', text`).map(
      ([whole, text, name]) => [whole, name, text],
    ),
  ].map(([, name = '', text = '']) => `${name}: ${plain(text)}`);
  expect([...new Set(thrown)].toSorted()).toEqual(REFUSALS.trim().split(/\n\s*/).toSorted());
});

it('of something unknown names it', () => {
  const named = matches(String.raw`\bnotFound\('([^']+)'\)`).map(([, what = '']) => what);
  expect([...new Set(named)].toSorted()).toEqual(NOT_FOUND);
});

/** All error codes, listed by hand because clients depend on them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const CODES = `
  address_refused admin_exists already_confirmed already_known already_on_its_way already_requested
  buyer_has_no_capacity buyer_id_taken buyer_named_twice buyer_not_found buyer_required challenge_over
  changed_meanwhile claim_already_decided claim_already_reversed claim_mismatch claim_pending confirmation_over consent_required
  consent_unconfirmed consent_withdrawn days_reversed edited_meanwhile endpoint_gone entity_required external_id_reused feedback_full foreign_origin
  idempotency_key_reused invalid_balance invalid_code invalid_consent invalid_credentials invalid_cursor invalid_dry_run
  invalid_idempotency_key invalid_input invalid_json invalid_key invalid_lead_limit invalid_passkey
  invitation_not_found key_exists keys_required last_admin last_passkey lead_deleted_since lead_not_claimable lead_not_editable
  lead_not_listed lead_not_pending lead_removed lead_under_review link_code_required link_required
  months_reversed name_reserved no_code_needed no_endpoint no_mail_server no_passkey no_reorder no_such_day no_such_feedback
  no_working_link not_decided_by_rule not_logged_in notified_by_hand only_secret order_already_deleted
  order_already_open order_followed order_in_use origin_closed other_part_expected own_access passkey_needed
  passkey_required password_required payload_too_large person_erased person_known_otherwise
  reauthentication_required refused_by_buyer renewal_needs_postpay reorder_decided replacement_delivered
  request_under_way reversal_too_late role_required route_not_found scope_required secret_required source_full source_not_live
  source_paused taken_over template_in_use token_mismatch too_many_attempts too_many_consent_texts too_many_days
  too_many_deliveries too_many_invitations too_many_keys too_many_leads too_many_passkeys too_many_webhooks two_keys two_secrets unknown_source unknown_template
  unsupported_media_type wrong_code wrong_passkey wrong_password`;

/** Each has a "not found" error with a code like `deleted_order_not_found`. */
const NOT_FOUND =
  'Admin|Buyer|Callback|Claim|Consent|Deleted order|Delivery|Email template|Erasure|Invitation|Key|Lead|Link|List|Order|Passkey|Proof of consent|Pushover credential|Secret|Session|Source|Specification|Token|Webhook|Wording'.split(
    '|',
  );

const FUNCTIONS = join(import.meta.dirname, '..', '..', '..', 'functions');
const code = readdirSync(FUNCTIONS, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(FUNCTIONS, name), 'utf8'))
  .filter((text) => /domain\/common\/errors|class DomainError/.test(text))
  .join('\n');

const matches = (pattern: RegExp) => [...code.matchAll(pattern)].map(([, found = '']) => found);

it('is in the list', () => {
  const thrown = [
    ...matches(
      /(?:(?:new DomainError|\brefusal)\(\s*'\w+',|\b(?:invalid|conflict|forbidden)\()\s*'(\w+)',\s*(?:['`]|message)/g,
    ),
    ...matches(/\bcode = '(\w+)'/g),
    // The text is also used for the field.
    ...matches(/throw invalid\('(\w+)', text/g),
  ];
  expect([...new Set(thrown)].toSorted()).toEqual(CODES.trim().split(/\s+/));
});

it('of an unknown object contains its name', () => {
  expect([...new Set(matches(/\bnotFound\('([^']+)'\)/g))].toSorted()).toEqual(NOT_FOUND);
});

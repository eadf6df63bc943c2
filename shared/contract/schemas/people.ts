import * as z from 'zod/mini';
import * as field from '#shared/contract/fields';
import { publishedWith } from '#shared/contract/published';
import { cursorRefusals } from '#shared/contract/refusals';
import { consentView } from '#shared/contract/rows/consent-view';
import { CONSENT_LINK_STATES, CONSENT_LINKS } from '#shared/rules/consent';
import {
  ERASURE_PURPOSES,
  ERASURE_STAGES,
  LEAD_STATUSES,
  MAX_OPENING_REASON,
  MIN_OPENING_REASON,
  WITHDRAWAL_WAYS,
} from '#shared/rules/constants';
import { MAX_KNOWN_HASHES } from '#shared/rules/known-people';

/** Of one person, at once. */
const MAX_LEADS = 25;

const leadIds = z
  .string()
  .check(
    z.regex(
      new RegExp(`^[0-9A-HJKMNP-TV-Z]{26}(,[0-9A-HJKMNP-TV-Z]{26}){0,${MAX_LEADS - 1}}$`),
      `One to ${MAX_LEADS} lead IDs, separated by commas`,
    ),
  )
  .register(publishedWith, { description: `One to ${MAX_LEADS} lead IDs, separated by commas` });

const personLead = z.object({
  lead_id: z.string(),
  display_id: z.nullable(z.string()),
  status: z.enum(LEAD_STATUSES),
  vorname: z.string(),
  nachname: z.string(),
  email: z.string(),
  telefon: z.string(),
  received_at: z.string(),
  delivered_at: z.nullable(z.string()),
  buyer_id: z.nullable(z.string()),
  source: z.nullable(z.string()),
  erased_at: z.nullable(z.string()),
  /** Of the consent. */
  withdrawn_at: z.nullable(z.string()),
});
export type PersonLead = z.output<typeof personLead>;

const erasure = z.object({
  erasure_id: z.string(),
  purpose: z.enum(ERASURE_PURPOSES),
  /** Of a withdrawal. */
  way: z.nullable(z.enum(WITHDRAWAL_WAYS)),
  /** `checking`: the leads are blank, and the table is searched once more. */
  stage: z.enum(ERASURE_STAGES),
  begun_by: z.string(),
  begun_at: z.string(),
  erased_at: z.nullable(z.string()),
  done_at: z.nullable(z.string()),
  lead_ids: z.array(z.string()),
  recipients: z.array(
    z.object({
      /** The internal number. */
      buyer: z.number(),
      buyer_id: z.string(),
      leads: z.array(z.object({ number: z.string(), delivered_at: z.string() })),
      /** The buyer cannot be reached by e-mail, so somebody has to notify it. */
      by_hand: z.boolean(),
      email_count: z.number(),
      /** When a mail server accepted the latest e-mail. */
      notified_at: z.nullable(z.string()),
      confirmed_at: z.nullable(z.string()),
      confirmed_by: z.nullable(z.string()),
    }),
  ),
});
export type ErasureRow = z.output<typeof erasure>;

const knownList = z.object({
  list_id: z.string(),
  buyer_id: z.nullable(z.string()),
  name: z.string(),
  file: z.string(),
  created_at: z.string(),
  created_by: z.string(),
  people: z.number(),
  /** The next part is the one after these. */
  parts: z.number(),
  finished: z.boolean(),
  deleting: z.boolean(),
});
export type KnownListRow = z.output<typeof knownList>;

const saltedHash = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/));
const knownListPath = z.object({ listId: field.entityId });
const erasurePath = z.object({ erasureId: field.entityId });
const recipientPath = z.extend(erasurePath, { buyer: field.wholeNumberId });

const confirmation = z.object({
  purpose: z.enum(ERASURE_PURPOSES),
  leads: z.array(z.object({ number: z.string(), delivered_at: z.string() })),
  confirmed_at: z.nullable(z.string()),
});
const byBuyerLink = { params: z.object({ token: field.token }), answer: confirmation };

const ofPerson = z.object({
  lead_ids: z.array(field.leadId).check(z.minLength(1), z.maxLength(MAX_LEADS)),
});

const consentLink = z.object({
  purpose: z.enum(CONSENT_LINKS),
  /** `over`: too late to confirm, or the lead is gone; `withdrawn`: there is no consent left to confirm. */
  state: z.enum(CONSENT_LINK_STATES),
  /** When it was followed, or what it asks for had happened before. */
  done_at: z.nullable(z.string()),
});
const byPersonLink = { params: z.object({ token: field.personToken }), answer: consentLink };

/** A line of 10 to 500 characters. */
const keptReason = field.matching(
  /^[^\s\p{Cc}][^\p{Cc}\u2028\u2029]{8,498}[^\s\p{Cc}]$/u,
  `One line of ${MIN_OPENING_REASON} to ${MAX_OPENING_REASON} characters expected`,
);

const keptProof = z.object({
  kept_until: z.string(),
  recorded_at: z.string(),
  withdrawn_at: z.nullable(z.string()),
  person: z.object({ vorname: z.string(), nachname: z.string(), email: z.string(), telefon: z.string() }),
  consent: z.extend(consentView, {
    ip: z.optional(z.string()),
    user_agent: z.optional(z.string()),
    confirmed_ip: z.optional(z.string()),
  }),
  received: z.array(z.object({ number: z.string(), buyer_id: z.string(), delivered_at: z.string() })),
});
export type KeptProofRow = z.output<typeof keptProof>;

export const peopleSchemas = {
  findPeople: {
    summary: 'Find the leads of a person by e-mail address, phone number or name',

    query: z.object({ q: field.line(100) }),
    answer: z.object({
      /** By equal e-mail address or phone number. */
      people: z.array(z.object({ leads: z.array(personLead) })),
      more: z.boolean(),
      /** Of erased leads, if `q` is a whole e-mail address or phone number. */
      kept_proofs: z.array(z.object({ lead_id: z.string(), kept_until: z.string() })),
    }),
  },
  getPerson: {
    summary: 'Read everything that is stored about a person',

    query: z.object({ leads: leadIds }),
    answer: z.object({
      leads: z.array(personLead),
      /** In order of time. A buyer that refused a lead has received it too. */
      received: z.array(
        z.object({
          lead_id: z.string(),
          number: z.string(),
          buyer_id: z.string(),
          delivered_at: z.string(),
        }),
      ),
      sections: z.array(
        z.object({
          kind: z.string(),
          items: z.array(
            z.object({
              lead_id: z.string(),
              fields: z.array(z.object({ name: z.string(), value: z.string(), personal: z.boolean() })),
            }),
          ),
        }),
      ),
      files: z.number(),
    }),
  },
  exportPerson: {
    summary: 'Download the disclosure for the person, as JSON or a page',

    params: z.object({ format: z.enum(['json', 'html']) }),
    query: z.object({ leads: leadIds }),
    answer: 'file',
  },
  beginErasure: {
    summary: 'Erase a person and notify the buyers that received the leads',

    body: ofPerson,
    answer: z.object({ message: z.string(), erasure }),
  },
  withdrawConsent: {
    summary: 'Withdraw the consent of a person and notify the buyers that received the leads',

    body: ofPerson,
    answer: z.object({ message: z.string(), erasure }),
  },
  viewConsentLink: {
    summary: 'Read what a person’s own link about the consent does',
    ...byPersonLink,
  },
  followConsentLink: {
    summary: 'Withdraw or confirm the consent by the person’s own link',
    ...byPersonLink,
  },
  listErasures: {
    summary: 'List erasures, newest first',
    refusals: cursorRefusals,

    query: z.object({ limit: z._default(field.integer(1, 100), 50), cursor: field.cursor }),
    answer: z.object({ erasures: z.array(erasure), next_cursor: z.nullable(z.string()) }),
  },
  getErasure: {
    summary: 'Read the progress and confirmations of an erasure',
    params: erasurePath,
    answer: z.object({ erasure }),
  },
  exportErasure: {
    summary: 'Download the certificate of an erasure, without personal data',
    params: erasurePath,
    answer: 'file',
  },
  remindOfErasure: {
    summary: 'Remind a buyer that has not confirmed',
    params: recipientPath,
    answer: z.object({ message: z.string() }),
  },
  confirmErasureForBuyer: {
    summary: 'Record a buyer’s confirmation',
    params: recipientPath,
    answer: z.object({ message: z.string() }),
  },
  openKeptConsent: {
    summary: 'Open the proof of consent that is kept of an erased lead',
    params: z.object({ leadId: field.leadId }),
    body: z.object({ reason: keptReason }),
    /** `file` is the proof as `verifyConsentProof` reads it. */
    answer: z.object({ proof: keptProof, file: z.string() }),
  },
  listKnownPeople: {
    summary: 'List the uploaded lists of known people and read the salt of their hashes',
    answer: z.object({ salt: z.string(), lists: z.array(knownList) }),
  },
  beginKnownPeople: {
    summary: 'Begin a list of known people',
    body: z.object({
      /** Null: no buyer may get these people. */
      buyer_id: z.nullable(field.line(100)),
      name: field.line(200),
      /** The same for the same file: its salted hash. */
      file: saltedHash,
    }),
    answer: z.object({ message: z.string(), list: knownList }),
  },
  addKnownPeople: {
    summary: 'Add the next part of a list of known people',
    params: z.extend(knownListPath, { number: field.wholeNumberId }),
    body: z.object({
      /** SHA-256, base64url, of the salt, a blank, and `phone` or `email` with the normalised contact. */
      hashes: field.distinct(z.array(saltedHash).check(z.maxLength(MAX_KNOWN_HASHES))),
      /** Rows of the file in this part. */
      people: field.integer(0, MAX_KNOWN_HASHES),
      last: z._default(z.boolean(), false),
    }),
    answer: z.object({ message: z.string(), list: knownList }),
  },
  deleteKnownPeople: {
    summary: 'Delete some parts of a list of known people until none is left',
    params: knownListPath,
    answer: z.object({ message: z.string(), parts_left: z.number() }),
  },
  viewErasureConfirmation: {
    summary: 'Read what a buyer is asked to erase, by the link in the e-mail',
    ...byBuyerLink,
  },
  confirmErasure: {
    summary: 'Confirm as a buyer that the leads are erased',
    ...byBuyerLink,
  },
} as const;

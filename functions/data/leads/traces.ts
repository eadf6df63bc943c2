/** Everything stored about the person of a lead. A kind of item that is missing here does not compile. */

import * as z from 'zod/mini';
import * as auditStore from '#functions/data/administration/audit-store';
import { type AuditPosition, entrySchema, type TrailPart } from '#functions/data/administration/audit-store';
import { type Claim, claimSchema } from '#functions/data/claims/claim';
import * as claimStore from '#functions/data/claims/claim-store';
import type { Context, DataContext } from '#functions/data/context';
import { addressSchema } from '#functions/data/deliveries/address';
import * as addressStore from '#functions/data/deliveries/address-store';
import { notificationSchema } from '#functions/data/deliveries/notification-store';
import { consentItemSchema } from '#functions/data/leads/consent';
import { decisionFromItem } from '#functions/data/leads/decisions';
import * as doNotContactStore from '#functions/data/leads/do-not-contact-store';
import { doNotContactSchema } from '#functions/data/leads/do-not-contact-store';
import { notBlank } from '#functions/data/leads/erasure';
import { diarySchema } from '#functions/data/leads/feedback';
import { namedSchema } from '#functions/data/leads/idempotency-key-store';
import * as keptConsentStore from '#functions/data/leads/kept-consent-store';
import { keptConsentSchema } from '#functions/data/leads/kept-consent-store';
import {
  decisionSchema,
  deliverySchema,
  type Lead,
  leadSchema,
  type Person,
} from '#functions/data/leads/lead';
import { type FingerprintsOf, fingerprintSchema } from '#functions/data/leads/person-fingerprint-store';
import { personal, personalFields } from '#functions/data/personal';
import { callbackSchema } from '#functions/data/sources/callback';
import * as callbackStore from '#functions/data/sources/callback-store';
import { countedSchema } from '#functions/data/statistics/statistics-store';
import { type Key, keys } from '#functions/data/table/keys';
import type { Item } from '#functions/data/table/table';

type Fields = Readonly<Record<string, unknown>>;

interface Subject extends Context {
  readonly lead: Lead;
  readonly items: readonly Item[];
  readonly claim: Claim | undefined;
  readonly verifiedAs: (person: Person) => Promise<readonly string[]>;
  /** Undefined if the key by which addresses are found is unknown. */
  readonly personKey: (() => Promise<Uint8Array>) | undefined;
  readonly fingerprintsOf: FingerprintsOf;
}

interface Schema {
  readonly shape: Readonly<Record<string, z.ZodMiniType>>;
}

interface Traced {
  readonly schema: Schema;
  readonly find: (subject: Subject) => Promise<readonly Fields[]> | readonly Fields[];
  /** The fields that an erasure removes and that still have values. */
  readonly left: (fields: Fields) => readonly string[];
}

type Untraced = string;

export type StoredKind = {
  [Name in keyof typeof keys]: ReturnType<(typeof keys)[Name]> extends Key ? Name : never;
}[keyof typeof keys];

const blanked = (schema: Schema, find: Traced['find']): Traced => ({
  schema,
  find,
  left: (fields) => notBlank(schema, fields),
});
const removed = (schema: Schema, find: Traced['find']): Traced => ({
  schema,
  find,
  left: (fields) => Object.keys(fields),
});

const there = (items: readonly (Item | undefined)[]): Item[] => items.filter((item) => item !== undefined);

export const wordSchema = z.object({ word: personal(z.string()) });
export const claimRowSchema = z.object({ reason: personal(z.string()), nachname: personal(z.string()) });
export const verdictSchema = z.object({ verdict: z.string(), note: personal(z.nullable(z.string())) });

const NAMES_NOBODY = 'names no lead';
const BUYERS = 'is about a buyer, its orders and settings';
const FIGURES = 'holds sums only';
const PRODUCT = 'is about the product and its admins';
const SOURCES = 'is about a source';

const AUDITED_PERSON = new Set([...personalFields(leadSchema), ...personalFields(claimSchema)]);

const KINDS = {
  format: PRODUCT,
  keysCopy: PRODUCT,
  admin: PRODUCT,
  adminAccess: PRODUCT,
  passkey: PRODUCT,
  recoveryCode: PRODUCT,
  challenge: PRODUCT,
  invitation: PRODUCT,
  apiKey: PRODUCT,
  session: PRODUCT,
  throttle: PRODUCT,
  statusPage: PRODUCT,
  company: PRODUCT,
  counter: PRODUCT,
  buyer: BUYERS,
  buyerId: BUYERS,
  poolEntry: BUYERS,
  ledger: BUYERS,
  weights: BUYERS,
  verificationSwitches: PRODUCT,
  order: 'is about an order; while a lead is distributed to it, the id of the lead',
  orderComments: BUYERS,
  orderVersion: BUYERS,
  buyerOrder: BUYERS,
  token: BUYERS,
  linkCode: BUYERS,
  listView: 'says when a buyer opened a list, of no lead alone',
  lead: blanked(leadSchema, ({ lead }) => [lead]),
  decision: blanked(decisionSchema, ({ lead, items }) =>
    items.filter(({ sk }) => sk === keys.decision(lead.lead_id).sk).map(decisionFromItem),
  ),
  consent: blanked(consentItemSchema, ({ lead, items }) =>
    items
      .filter(({ sk }) => sk === keys.consent(lead.lead_id).sk)
      .map((item) => consentItemSchema.parse(item)),
  ),
  keptConsent: blanked(keptConsentSchema, async (context) => {
    const found = await keptConsentStore.get(context, context.lead.lead_id, context.runtime.now());
    return found === undefined ? [] : [found];
  }),
  consentText: 'is a wording of a source',
  delivery: blanked(deliverySchema, ({ items }) =>
    items.filter(({ sk }) => String(sk).startsWith('DELIVERY#')).map((item) => deliverySchema.parse(item)),
  ),
  diary: blanked(diarySchema, ({ items }) =>
    items.filter(({ sk }) => String(sk).startsWith(keys.diaries())).map((item) => diarySchema.parse(item)),
  ),
  refusal: 'says by id which buyer refused which lead, and why it had been chosen',
  refusedDelivery: blanked(deliverySchema, ({ items }) =>
    items
      .filter(({ sk }) => String(sk).startsWith(keys.refusedDeliveries()))
      .map((item) => deliverySchema.parse(item)),
  ),
  batchHead: NAMES_NOBODY,
  batchBody: 'holds ids and amounts of leads, for a week',
  batchPass: 'holds what was chosen, for a week',
  template: PRODUCT,
  pushoverCredential: PRODUCT,
  pushoverTemplate: PRODUCT,
  retentionSettings: PRODUCT,
  retentionProgress: 'holds the place of a lead in a list, and ids of erased leads',
  alertSettings: PRODUCT,
  alertIncident: 'names an order, a buyer or a source',
  alertSummary: PRODUCT,
  jobs: PRODUCT,
  orderNotified: BUYERS,
  weekNotified: BUYERS,
  circuit: BUYERS,
  endpointCircuit: SOURCES,
  webhookCircuit: PRODUCT,
  destinationLease: NAMES_NOBODY,
  notification: blanked(notificationSchema, async ({ lead, table }) => {
    const names = ['assigned', 'ineligible', 'claim_filed', 'claim_review', 'approved', 'rejected'];
    const items = await table.getMany(names.map((name) => keys.notification(`${name}#${lead.lead_id}`)));
    return there(items).map((item) => notificationSchema.parse(item));
  }),
  dedupMarker: 'holds an id, for a limited time',
  sourceListed: SOURCES,
  source: SOURCES,
  sourceCost: SOURCES,
  specification: SOURCES,
  endpoints: SOURCES,
  webhooks: PRODUCT,
  callback: blanked(callbackSchema, (context) => callbackStore.about(context, context.lead.lead_id)),
  origin: SOURCES,
  person: removed(fingerprintSchema, async ({ lead, table }) =>
    there(await table.getMany((lead.fingerprints ?? []).map((hash) => keys.person(hash)))).map((item) =>
      fingerprintSchema.parse(item),
    ),
  ),
  address: removed(addressSchema, async ({ lead, table, personKey }) => {
    const key = await addressStore.keyOfLead(personKey, lead);
    return there(await table.getMany(key === undefined ? [] : [key])).map((item) =>
      addressSchema.parse(item),
    );
  }),
  doNotContact: {
    schema: doNotContactSchema,
    find: async (context) => {
      const { lead } = context;
      const marks = await doNotContactStore.ofEach(
        context,
        doNotContactStore.marksFor(lead.fingerprints ?? (await context.fingerprintsOf(lead))),
      );
      return marks.filter((mark) => mark !== undefined);
    },
    // Kept, so that the person is not contacted again. A keyed hash names nobody.
    left: () => [],
  },
  erasure: 'holds ids of leads, and of a withdrawal the addresses until its check',
  erasureRecipient: 'holds numbers of leads, and the ids of a partner until it has confirmed',
  erasureToken: NAMES_NOBODY,
  knownList: NAMES_NOBODY,
  knownPart: 'holds keyed hashes, whose marks are kept as well',
  intakeKey: blanked(namedSchema, async ({ lead, table }) => {
    const name = lead.intake_key;
    const items = name === undefined ? [] : await table.getMany([keys.intakeKey(name)]);
    return there(items)
      .map((item) => namedSchema.parse(item))
      .filter(({ lead_id }) => lead_id === lead.lead_id);
  }),
  verificationResult: removed(verdictSchema, async ({ lead, table, verifiedAs }) => {
    const names = await verifiedAs(lead);
    const items = await table.getMany(names.map((name) => keys.verificationResult(name)));
    return there(items).map((item) => verdictSchema.parse(item));
  }),
  claim: blanked(claimSchema, ({ claim }) => (claim === undefined ? [] : [claim])),
  claimEvidence: 'holds codes and instants, and ids of leads',
  claimRowBlock: blanked(claimRowSchema, (context) =>
    context.claim === undefined ? [] : [claimRowSchema.parse(claimStore.rowOf(context.claim))],
  ),
  claimCount: FIGURES,
  claimWord: removed(wordSchema, async (context) => {
    if (context.claim === undefined) return [];
    const items = await context.table.getMany(claimStore.personalWords(context.claim, context.lead));
    return there(items).map(({ sk }) => ({ word: String(sk).replace(/#\d+$/, '') }));
  }),
  replacement: 'says by id which lead stands for which, for the balance of a buyer',
  counted: {
    schema: countedSchema,
    find: ({ items }) => countedOf(items),
    left: ({ words }) => (Array.isArray(words) && words.length > 0 ? ['words'] : []),
  },
  leadRowBlock: 'holds ids, amounts and outcomes of leads',
  leadRowsPacked: FIGURES,
  leadWord: removed(wordSchema, async ({ lead, items, table }) => {
    const words = countedOf(items).flatMap((counted) => counted.words);
    const stored = await table.getMany(words.map((word) => keys.leadWord(word, lead.lead_id)));
    return there(stored).map(({ sk }) => ({ word: String(sk).replace(/#[^#]*$/, '') }));
  }),
  sums: FIGURES,
  sourceInvalid: FIGURES,
  auditLink: 'holds hashes of entries',
  auditCheckpoints: 'holds hashes of entries',
  auditCheckpoint: 'holds hashes of entries',
  access: {
    schema: entrySchema,
    find: (context) => entriesOf(context, { accesses: true, entity: 'lead', entityId: context.lead.lead_id }),
    left: () => [],
  },
  auditEntry: {
    schema: entrySchema,
    find: async (context) => [
      ...(await entriesOf(context, { entity: 'lead', entityId: context.lead.lead_id })),
      ...(context.claim === undefined
        ? []
        : await entriesOf(context, { entity: 'claim', entityId: String(context.claim.claim_id) })),
    ],
    left: (fields) =>
      entrySchema
        .parse(fields)
        .changes.filter(({ field, from, to }) => AUDITED_PERSON.has(field) && (from ?? to) !== null)
        .map(({ field }) => field),
  },
} as const satisfies Readonly<Record<StoredKind, Traced | Untraced>>;

export type TracedKind = {
  [Kind in StoredKind]: (typeof KINDS)[Kind] extends Untraced ? never : Kind;
}[StoredKind];

export interface Trace {
  readonly kind: TracedKind;
  readonly lead_id: string;
  readonly fields: Fields;
  /** The names of the values that an erasure would still remove. */
  readonly left: readonly string[];
}

function countedOf(items: readonly Item[]) {
  return items
    .filter(({ sk }) => sk === keys.counted('').sk)
    .map((item) => countedSchema.parse(JSON.parse(String(item.counted))));
}

const ENTRIES_PER_PAGE = 200;

async function entriesOf(context: DataContext, of: TrailPart) {
  const entries: z.output<typeof entrySchema>[] = [];
  let after: AuditPosition | undefined;
  do {
    const page = await auditStore.list(context, of, { limit: ENTRIES_PER_PAGE, after });
    entries.push(...page.entries);
    after = page.next;
  } while (after !== undefined);
  return entries;
}

const isTraced = (entry: readonly [string, Traced | Untraced]): entry is [TracedKind, Traced] =>
  typeof entry[1] !== 'string';

export const TRACED: readonly (readonly [TracedKind, Traced])[] = Object.entries<Traced | Untraced>(
  KINDS,
).filter(isTraced);

export interface TraceContext extends Context {
  readonly verifiedAs: Subject['verifiedAs'];
  readonly personKey: Subject['personKey'];
  readonly fingerprintsOf: Subject['fingerprintsOf'];
}

/** Undefined if there is no such lead. */
export async function tracesOf(context: TraceContext, leadId: string): Promise<readonly Trace[] | undefined> {
  const items = await context.table.queryAll({ partition: keys.leadPartition(leadId), consistent: true });
  const item = items.find(({ sk }) => sk === keys.lead(leadId).sk);
  if (item === undefined) return undefined;
  const lead = leadSchema.parse(item);
  const claim = lead.claim_id === undefined ? undefined : await claimStore.get(context, lead.claim_id);
  const subject: Subject = { ...context, lead, items, claim };
  const found = await Promise.all(
    TRACED.map(async ([kind, { find, left }]) =>
      (await find(subject)).map((fields) => ({ kind, lead_id: leadId, fields, left: left(fields) })),
    ),
  );
  return found.flat();
}

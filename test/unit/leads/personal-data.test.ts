/** Every stored field with personal data of a lead is marked, and every marked field can be erased. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { claimSchema } from '#functions/data/claims/claim';
import { deliverySchema, leadSchema, personSchema } from '#functions/data/leads/lead';
import { blanked, personal, personalFields } from '#functions/data/personal';

const DATA = join(import.meta.dirname, '..', '..', '..', 'functions', 'data');

const words = (text: string) => text.trim().split(/\s+/);

/** Stored fields of a lead that are not personal data. Mark a new field as personal, or add it here. */
const IMPERSONAL: Readonly<Record<string, readonly string[]>> = {
  personSchema: [],
  leadSchema:
    words(`lead_id status received_at distribution_attempt in_flight_since batch_id chosen_buyer chosen_by verified
    reason intended_buyer refused_by.buyer refused_by.at buyer order_id sequence lead_type assigned_at claim_id claim_status another_email another_phone
    claim_decide_by feedback.said feedback.at
     feedback.who feedback.order_id feedback.entries deleted_at erased_at withdrawn_at withdrawal_id source
     consent unconfirmed must_consent earlier_leads later_leads known_to duplicate_of same_person`),
  consentItemSchema: words('lead_id recorded_at commitment kept_until'),
  keptConsentSchema: words('lead_id kept_until'),
  diarySchema: words('lead_id order_id entries.said entries.at entries.who entries.takes_back'),
  deliverySchema: words(`lead_id channel buyer order_id sequence lead_type status created_at updated_at series
    attempt_count next_attempt_at queued_at sending_until sending_by unreported refused reassignment_blocker reassigned_at`),
  notificationSchema: words(
    'about lead_id order_id request status erasure buyer email_number alert medium title lines created_at attempt_count next_attempt_at done_at unsent',
  ),
  callbackSchema:
    words(`lead_id callback_id source endpoint event distribution_attempt occurred_at received_at reason buyer feedback entry
    status created_at updated_at series attempt_count next_attempt_at queued_at sending_until sending_by`),
  webhookCallSchema:
    words(`webhook callback_id event occurred_at buyer order_id lead_limit lead_id lead_type source
    distribution_attempt claim_id status created_at updated_at series attempt_count next_attempt_at queued_at sending_until sending_by`),
  decisionSchema: words(`lead_id distribution_attempt rule decided_at mode winner draw eligible not_eligible
    earlier_choice.rule earlier_choice.decided_at earlier_choice.mode earlier_choice.winner earlier_choice.draw
    earlier_choice.eligible earlier_choice.not_eligible`),
  refusalSchema: words(
    `lead_id distribution_attempt buyer order_id sequence lead_type assigned_at refused_at decision.lead_id decision.distribution_attempt decision.rule decision.decided_at decision.mode decision.winner decision.draw decision.eligible decision.not_eligible decision.earlier_choice.rule decision.earlier_choice.decided_at decision.earlier_choice.mode decision.earlier_choice.winner decision.earlier_choice.draw decision.earlier_choice.eligible decision.earlier_choice.not_eligible`,
  ),
  claimSchema:
    words(`claim_id claim_status created_at processed_at claim_reason_code lead_id buyer order_id sequence decide_by default_decision
    rule reversed_at row_edition`),
  countedSchema:
    words(`state assignment.day assignment.buyer assignment.type assignment.by_hand assignment.price assignment.order
    decided.rule decided.mode decided.winner decided.eligible decided.at decided.day decided.amount decided.term decided.consents decided.curable
    claim.day claim.buyer claim.status claim.order refused.day refused.buyer feedback came.day came.hour came.source came.duplicate
    latency received.at received.amount received.term received.consents`),
  addressEventSchema: words('id state at by code'),
  addressSchema: words('events.id events.state events.at events.by events.code works_since taken_since'),
  doNotContactSchema: words('withdrawn_at withdrawal_id known'),
  fingerprintSchema: words('leads last expires_at'),
  namedSchema: words('lead_id taken_at'),
  erasureSchema: words('erasure_id purpose lead_ids stage begun_by begun_at erased_at way done_at'),
  recipientSchema:
    words(`erasure_id purpose buyer leads.lead_id leads.number leads.delivered_at by_hand email_count notified_at confirmed_at
    confirmed_by`),
  wordSchema: [],
  claimRowSchema: [],
  verdictSchema: words('verdict'),
  batchBodySchema: words('batch_id received_at leads'),
  passSchema: words('pass decided_at entries paces full capped left deficits leads'),
  entrySchema: words('at who action entity entity_id label changes.field'),
};

/** Stored data about buyers, orders, admins and the product itself. */
const NOT_ABOUT_LEADS: ReadonlySet<string> = new Set(
  words(`adminSchema originSchema passkeySchema challengeSchema recoveryCodeSchema invitationSchema apiKeySchema accessSchema sessionSchema attemptsSchema templateSchema pushoverCredentialSchema verificationSwitchesSchema
    knownListSchema knownPartSchema sourceSchema costSchema sourceKeySchema consentTextSchema wordingSchema endpointSchema endpointsSchema signingSecretSchema webhookSchema webhooksSchema buyerSchema plainSettingsSchema poolEntrySchema passEntrySchema listedEntrySchema scheduleSchema orderSchema capsSchema paceSchema replacementSchema ledgerSchema weightsSchema circuitSchema daySchema totalsSchema
    sourceShardSchema linkSchema checkpointsSchema publishedSchema retentionSchema companySchema progressSchema ruleSchema alertSettingsSchema incidentSchema latencyShardSchema accountShardSchema blockSchema columnsSchema`),
);

/** Evidence: codes, times and lead IDs. */
const EVIDENCE: ReadonlySet<string> = new Set(
  words('knownAddressSchema evidenceSchema automaticDecisionSchema frozenSchema'),
);

/** Part of another exported schema. */
const PARTS: ReadonlySet<string> = new Set(['changeSchema', 'consentSchema']);

type Fields = z.ZodMiniObject<Record<string, z.ZodMiniType>>;

const isFields = (value: unknown): value is Fields => value instanceof z.ZodMiniObject;

const files = readdirSync(DATA, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => join(DATA, file));

async function exportedSchemas(): Promise<readonly [string, Fields][]> {
  const modules: object[] = await Promise.all(files.map((file) => import(file)));
  return modules.flatMap((module) => Object.entries(module).filter(([, value]) => isFields(value)));
}

/** Paths of fields that are not marked as personal, like `decided.amount`. */
function unmarked(schema: z.ZodMiniType): string[] {
  if (isFields(schema)) {
    const marked = personalFields(schema);
    return Object.entries(schema.shape)
      .filter(([name]) => !marked.includes(name))
      .flatMap(([name, field]) => {
        const within = unmarked(field);
        return within.length === 0 ? [name] : within.map((path) => `${name}.${path}`);
      });
  }
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable)
    return unmarked(schema._zod.def.innerType as z.ZodMiniType);
  return schema instanceof z.ZodMiniArray ? unmarked(schema._zod.def.element as z.ZodMiniType) : [];
}

describe('a stored field about a lead', () => {
  it('is marked as personal or listed as not personal', async () => {
    const about = (await exportedSchemas()).filter(([name]) => !NOT_ABOUT_LEADS.has(name));
    expect(Object.fromEntries(about.map(([name, schema]) => [name, unmarked(schema)]))).toEqual(IMPERSONAL);
  });

  it('belongs to a checked schema', () => {
    const declared = files.flatMap((file) =>
      Array.from(readFileSync(file, 'utf8').matchAll(/const (\w+) = z\.object\(/g), ([, name = '']) => name),
    );
    expect(declared).toEqual(expect.arrayContaining(Object.keys(IMPERSONAL)));
    expect(
      declared.filter(
        (name) =>
          !(name in IMPERSONAL) && !NOT_ABOUT_LEADS.has(name) && !EVIDENCE.has(name) && !PARTS.has(name),
      ),
    ).toEqual([]);
  });
});

describe('a field marked as personal', () => {
  it('is erased unless it has a reason to stay', () => {
    expect(blanked(leadSchema)).toEqual({
      vorname: '',
      nachname: '',
      email: '',
      telefon: '',
      clickId: undefined,
      verification_notes: undefined,
      claim_reason: undefined,
    });
    expect(blanked(deliverySchema)).toEqual({ external_id: null, error: null, attempts: [] });
    expect(blanked(claimSchema)).toEqual({ claim_reason: '', admin_notes: null });
  });

  it('is erased even if it is new', () => {
    const extended = z.extend(personSchema, { iban: personal(z.string()), notes: z.string() });
    expect(Object.keys(blanked(extended))).toContain('iban');
    expect(personalFields(extended)).toContain('iban');
    expect(unmarked(extended)).toEqual(['notes']);
  });

  it('can be empty', () => {
    const born = z.object({ born: personal(z.int()) });
    expect(() => blanked(born)).toThrow('born is personal and cannot be empty');
  });
});

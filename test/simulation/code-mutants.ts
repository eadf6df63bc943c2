/**
 * Faults in the product's own rules, each planted as text into a file. The simulator would miss them if it judged the
 * product by the product's own functions.
 */
import { type Faults, swap } from '#test/simulation/bundle';

const ELIGIBILITY = 'functions/domain/distribution/eligibility.ts';
const BUYER = 'functions/data/buyers/buyer.ts';
const SCHEDULE = 'shared/rules/schedule.ts';
const LEAD = 'functions/data/leads/lead.ts';
const MARKS = 'functions/data/leads/person-fingerprint-store.ts';
const WITHDRAWAL = 'functions/domain/leads/withdrawal.ts';
const ERASURE = 'functions/domain/leads/erasure.ts';

export const CODE_MUTANTS: Faults = {
  'the minimum investment is ignored': swap(
    BUYER,
    'min_investment > anlagebetrag',
    'min_investment > Infinity',
  ),
  'the maximum investment is ignored': swap(BUYER, 'max_investment < anlagebetrag', 'false'),
  'a term that is too long is ignored': swap(BUYER, ' || max_term < laufzeit', ''),
  'sources are ignored': swap(BUYER, 'return takesSource(sources, source) ?', 'return true ?'),
  'buyers are open on every weekday': swap(SCHEDULE, 'schedule.weekdays.includes(weekdayOf(day)) && ', ''),
  'hours are ignored': swap(SCHEDULE, 'return window !== undefined &&', 'return true ||'),
  'opening hours use winter time all year': swap(SCHEDULE, 'hoursAhead(summer) === 2', 'false'),
  'the smallest deficit wins': swap(
    'functions/domain/distribution/share-rule.ts',
    'deficit > winner.deficit',
    'deficit < winner.deficit',
  ),
  'weights are ignored': swap(ELIGIBILITY, 'weight: poolEntry.probability', 'weight: 1'),
  'caps count UTC days': [
    ...swap(
      'functions/data/orders/order.ts',
      'schedule ?? undefined, berlinDay(at))',
      'schedule ?? undefined, at.toISOString().slice(0, 10))',
    ),
    ...swap(
      'functions/data/orders/reservation-store.ts',
      'countedOn(berlinDay(at), byHand)',
      'countedOn(at.toISOString().slice(0, 10), byHand)',
    ),
  ],
  'cents are truncated': swap('functions/domain/buyers/buyers.ts', 'Math.round(euro', 'Math.floor(euro'),
  'an order has the minimum of its buyer as its price': swap(
    'functions/domain/orders/orders.ts',
    'price_per_lead: buyer.price_per_lead',
    'price_per_lead: buyer.min_investment',
  ),
  'a statement bills replacements': swap(
    'functions/domain/orders/statement.ts',
    'const sumOf = ({ originals }: AccountFigures) =>',
    'const sumOf = ({ originals: paid, replacements }: AccountFigures, originals = paid + replacements) =>',
  ),
  'the window of duplicates is shortened': swap(MARKS, '- days * DAY_MS', '- (days * DAY_MS) / 2'),
  'a shorter window shortens the fingerprint of a longer one': swap(
    MARKS,
    'Math.max(expected.expires_at, expiry(lead, days))',
    'expiry(lead, days)',
  ),
  'the fingerprints of an erased person stay': swap(
    ERASURE,
    'of new Set([...fingerprints, ...(lead.fingerprints ?? [])])',
    'of [] as string[]',
  ),
  'the key of an erased lead keeps its fingerprint': swap(ERASURE, 'lead.intake_key !== undefined', 'false'),
  'the address state of an erased person stays': swap(
    ERASURE,
    'await addressStore.forget(context, lead);',
    '',
  ),
  'an erasure blanks the lead before its other traces': swap(
    ERASURE,
    'if (!(await eraseIntake(context, lead, fingerprints))) return CONFLICT;',
    '',
    'return (await eraseItems(context, who, reason, details, claim)) ||',
    'return ((await eraseItems(context, who, reason, details, claim)) && (await eraseIntake(context, lead, fingerprints))) ||',
  ),
  'a chain link does not contain the previous one': swap(
    'functions/data/administration/audit-chain-store.ts',
    "previous: previous?.hash ?? ''",
    "previous: ''",
  ),
  'the audit chain does not seal who acted': swap(
    'functions/data/administration/audit-commitments.ts',
    'return hashOf([at, who, action,',
    'return hashOf([at, "", action,',
  ),
  'the newest entries are left out of the audit trail': swap(
    'functions/domain/administration/audit-chain.ts',
    'const due = waiting.slice(0, most);',
    'const due = waiting.slice(0, -1);',
  ),
  'consent is not asked for': swap(ELIGIBILITY, 'lacksConsent(poolEntry, lead)', 'false'),
  'a buyer gets people that it knows': swap(BUYER, 'known.includes(buyer) || ', ''),
  'people whom nobody may get are sold': swap(BUYER, ' || known.includes(NOBODY)', ''),
  'leads are not compared with known people': swap(
    'functions/domain/distribution/do-not-contact.ts',
    'if (known.length === 0) return lead;',
    'return lead;',
  ),
  'leads without consent are not held': swap(LEAD, 'return must_consent === true &&', 'return false &&'),
  'leads are not held until their consent is confirmed': swap(
    LEAD,
    'if (unconfirmed === true)',
    'if (false)',
  ),
  'a withdrawal leaves open deliveries': swap(
    WITHDRAWAL,
    'deliveries.filter(isOpen)',
    'deliveries.slice(0, 0)',
  ),
  'people who withdrew their consent come again': swap(
    'functions/domain/distribution/do-not-contact.ts',
    'givenAt === undefined || givenAt <= withdrawnAt',
    'false',
  ),
  'a buyer is not notified of a withdrawal': swap(
    WITHDRAWAL,
    'return tellRecipients(context, withdrawal);',
    'return tellRecipients(context, { ...withdrawal, erasure_id: "" });',
  ),
  'TrackBox gets n/a for unknown values': swap(
    'functions/channels/values.ts',
    `person[name] ?? ''`,
    `person[name] ?? 'n/a'`,
  ),
};

/** The small world with an interleaving that detects the mutant; seeds detect the others. */
export const SHOWN_BY: Readonly<Record<string, string>> = {
  'the fingerprints of an erased person stay': 'a person that a source sent is erased, a death at any call',
  'the address state of an erased person stays': 'a person that a source sent is erased, a death at any call',
  'an erasure blanks the lead before its other traces':
    'a person that a source sent is erased, a death at any call',
  'leads without consent are not held': 'a lead without consent is held',
  'leads are not held until their consent is confirmed': 'a lead whose consent is not confirmed is held',
  'a withdrawal leaves open deliveries': 'a person withdraws while its lead is sent',
  'people who withdrew their consent come again': 'a person who withdrew comes again',
};

/**
 * Faults of the product's own rules, each planted as text into a file of it: what the simulator would not notice if it judged the
 * product by the product's own functions.
 */
export interface CodeMutant {
  readonly name: string;
  /** File, the text there, and what stands in its place. */
  readonly edits: readonly (readonly [file: string, from: string, to: string])[];
}

const ELIGIBILITY = 'functions/domain/distribution/eligibility.ts';
const SCHEDULE = 'shared/rules/schedule.ts';
const MARKS = 'functions/data/leads/person-mark-store.ts';
const ERASURE = 'functions/domain/leads/erasure.ts';

export const CODE_MUTANTS: readonly CodeMutant[] = [
  {
    name: 'the minimum investment is ignored',
    edits: [[ELIGIBILITY, 'poolEntry.min_investment > amount', 'poolEntry.min_investment > Infinity']],
  },
  {
    name: 'buyers are open on every weekday',
    edits: [[SCHEDULE, 'schedule.weekdays.includes(weekdayOf(day)) && ', '']],
  },
  {
    name: 'hours are ignored',
    edits: [
      [SCHEDULE, 'return window !== undefined && window.opens <= at && at < window.closes', 'return true'],
    ],
  },
  {
    name: 'hours are those of the winter all year',
    edits: [[SCHEDULE, 'if (hoursAhead(summer) === 2) return summer;', '']],
  },
  {
    name: 'the smallest deficit wins',
    edits: [
      ['functions/domain/distribution/share-rule.ts', 'deficit > winner.deficit', 'deficit < winner.deficit'],
    ],
  },
  {
    name: 'weights are ignored',
    edits: [[ELIGIBILITY, 'weight: poolEntry.probability', 'weight: 1']],
  },
  {
    name: 'caps are of the day of UTC',
    edits: [
      [
        'functions/data/orders/order.ts',
        'schedule ?? undefined, berlinDay(at))',
        'schedule ?? undefined, at.toISOString().slice(0, 10))',
      ],
      [
        'functions/data/orders/reservation-store.ts',
        'countedOn(berlinDay(at), byHand)',
        'countedOn(at.toISOString().slice(0, 10), byHand)',
      ],
    ],
  },
  {
    name: 'cents are cut off',
    edits: [['functions/domain/buyers/buyers.ts', 'Math.round(euro * 100)', 'Math.floor(euro * 100)']],
  },
  {
    name: 'an order has the minimum of its buyer for a price',
    edits: [
      [
        'functions/domain/orders/orders.ts',
        'price_per_lead: buyer.price_per_lead',
        'price_per_lead: buyer.min_investment',
      ],
    ],
  },
  {
    name: 'a statement charges replacements',
    edits: [
      [
        'functions/domain/orders/statement.ts',
        'const sumOf = ({ originals }: AccountFigures) =>',
        'const sumOf = ({ originals: paid, replacements }: AccountFigures, originals = paid + replacements) =>',
      ],
    ],
  },
  {
    name: 'the window of duplicates is shortened',
    edits: [[MARKS, '- days * DAY_MS).toISOString()', '- (days * DAY_MS) / 2).toISOString()']],
  },
  {
    name: 'a shorter window shortens the mark of a longer one',
    edits: [[MARKS, 'Math.max(seen.expires_at, expiry(lead, days))', 'expiry(lead, days)']],
  },
  {
    name: 'the marks of an erased person stay',
    edits: [[ERASURE, 'for (const hash of lead.marks ?? [])', 'for (const hash of [] as string[])']],
  },
  {
    name: 'the key of an erased lead keeps its fingerprint',
    edits: [[ERASURE, 'if (lead.intake_key !== undefined) await', 'if (lead.intake_key === "") await']],
  },
  {
    name: 'what is known of the address of an erased person stays',
    edits: [[ERASURE, "if (lead.email !== '') await", "if (lead.email === '') await"]],
  },
  {
    name: 'an erasure blanks the lead before the traces that are found by it',
    edits: [
      [ERASURE, 'if (!(await eraseIntake(deps, lead))) return CONFLICT;', ''],
      [
        ERASURE,
        'return (await eraseItems(deps, who, reason, details)) || CONFLICT;',
        'return ((await eraseItems(deps, who, reason, details)) && (await eraseIntake(deps, lead))) || CONFLICT;',
      ],
    ],
  },
  {
    name: 'a link of the audit trail does not hold the one before',
    edits: [
      [
        'functions/data/administration/audit-chain-store.ts',
        "previous: previous?.hash ?? ''",
        "previous: ''",
      ],
    ],
  },
  {
    name: 'the audit trail does not seal who did it',
    edits: [
      [
        'functions/data/administration/audit-commitments.ts',
        'return hashOf([at, who, action,',
        'return hashOf([at, "", action,',
      ],
    ],
  },
  {
    name: 'the newest entries are left out of the audit trail',
    edits: [
      [
        'functions/domain/administration/audit-chain.ts',
        'const due = waiting.slice(0, most);',
        'const due = waiting.slice(0, -1);',
      ],
    ],
  },
  {
    name: 'TrackBox is told n/a of what is not known',
    edits: [
      ['functions/channels/values.ts', "clickId: person.clickId ?? ''", "clickId: person.clickId ?? 'n/a'"],
    ],
  },
];

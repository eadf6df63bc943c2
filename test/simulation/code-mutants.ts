import type { Replacement } from '#test/simulation/bundle';

/**
 * Faults of the product's own rules, each planted as text into a file of it: what the simulator would not notice if it judged the
 * product by the product's own functions.
 */
export interface CodeMutant {
  readonly name: string;
  /** The small world of which some interleaving shows it. */
  readonly small?: string;
  readonly replacements: readonly Replacement[];
}

const ELIGIBILITY = 'functions/domain/distribution/eligibility.ts';
const SCHEDULE = 'shared/rules/schedule.ts';
const MARKS = 'functions/data/leads/person-mark-store.ts';
const ERASURE = 'functions/domain/leads/erasure.ts';

export const CODE_MUTANTS: readonly CodeMutant[] = [
  {
    name: 'the minimum investment is ignored',
    replacements: [
      {
        file: ELIGIBILITY,
        from: 'poolEntry.min_investment > amount',
        to: 'poolEntry.min_investment > Infinity',
      },
    ],
  },
  {
    name: 'buyers are open on every weekday',
    replacements: [{ file: SCHEDULE, from: 'schedule.weekdays.includes(weekdayOf(day)) && ', to: '' }],
  },
  {
    name: 'hours are ignored',
    replacements: [
      {
        file: SCHEDULE,
        from: 'return window !== undefined && window.opens <= at && at < window.closes',
        to: 'return true',
      },
    ],
  },
  {
    name: 'hours are those of the winter all year',
    replacements: [{ file: SCHEDULE, from: 'if (hoursAhead(summer) === 2) return summer;', to: '' }],
  },
  {
    name: 'the smallest deficit wins',
    replacements: [
      {
        file: 'functions/domain/distribution/share-rule.ts',
        from: 'deficit > winner.deficit',
        to: 'deficit < winner.deficit',
      },
    ],
  },
  {
    name: 'weights are ignored',
    replacements: [{ file: ELIGIBILITY, from: 'weight: poolEntry.probability', to: 'weight: 1' }],
  },
  {
    name: 'caps are of the day of UTC',
    replacements: [
      {
        file: 'functions/data/orders/order.ts',
        from: 'schedule ?? undefined, berlinDay(at))',
        to: 'schedule ?? undefined, at.toISOString().slice(0, 10))',
      },
      {
        file: 'functions/data/orders/reservation-store.ts',
        from: 'countedOn(berlinDay(at), byHand)',
        to: 'countedOn(at.toISOString().slice(0, 10), byHand)',
      },
    ],
  },
  {
    name: 'cents are cut off',
    replacements: [
      {
        file: 'functions/domain/buyers/buyers.ts',
        from: 'Math.round(euro * 100)',
        to: 'Math.floor(euro * 100)',
      },
    ],
  },
  {
    name: 'an order has the minimum of its buyer for a price',
    replacements: [
      {
        file: 'functions/domain/orders/orders.ts',
        from: 'price_per_lead: buyer.price_per_lead',
        to: 'price_per_lead: buyer.min_investment',
      },
    ],
  },
  {
    name: 'a statement charges replacements',
    replacements: [
      {
        file: 'functions/domain/orders/statement.ts',
        from: 'const sumOf = ({ originals }: AccountFigures) =>',
        to: 'const sumOf = ({ originals: paid, replacements }: AccountFigures, originals = paid + replacements) =>',
      },
    ],
  },
  {
    name: 'the window of duplicates is shortened',
    replacements: [
      { file: MARKS, from: '- days * DAY_MS).toISOString()', to: '- (days * DAY_MS) / 2).toISOString()' },
    ],
  },
  {
    name: 'a shorter window shortens the mark of a longer one',
    replacements: [
      { file: MARKS, from: 'Math.max(seen.expires_at, expiry(lead, days))', to: 'expiry(lead, days)' },
    ],
  },
  {
    name: 'the marks of an erased person stay',
    small: 'a person that a source sent is erased, a death at any call',
    replacements: [
      {
        file: ERASURE,
        from: 'for (const hash of lead.marks ?? [])',
        to: 'for (const hash of [] as string[])',
      },
    ],
  },
  {
    name: 'the key of an erased lead keeps its fingerprint',
    replacements: [
      {
        file: ERASURE,
        from: 'if (lead.intake_key !== undefined) await',
        to: 'if (lead.intake_key === "") await',
      },
    ],
  },
  {
    name: 'what is known of the address of an erased person stays',
    small: 'a person that a source sent is erased, a death at any call',
    replacements: [
      {
        file: ERASURE,
        from: `  await addressStore.forget(context, lead);
`,
        to: '',
      },
    ],
  },
  {
    name: 'an erasure blanks the lead before the traces that are found by it',
    small: 'a person that a source sent is erased, a death at any call',
    replacements: [
      { file: ERASURE, from: 'if (!(await eraseIntake(context, lead))) return CONFLICT;', to: '' },
      {
        file: ERASURE,
        from: 'return (await eraseItems(context, who, reason, details)) || CONFLICT;',
        to: 'return ((await eraseItems(context, who, reason, details)) && (await eraseIntake(context, lead))) || CONFLICT;',
      },
    ],
  },
  {
    name: 'a link of the audit trail does not hold the one before',
    replacements: [
      {
        file: 'functions/data/administration/audit-chain-store.ts',
        from: "previous: previous?.hash ?? ''",
        to: "previous: ''",
      },
    ],
  },
  {
    name: 'the audit trail does not seal who did it',
    replacements: [
      {
        file: 'functions/data/administration/audit-commitments.ts',
        from: 'return hashOf([at, who, action,',
        to: 'return hashOf([at, "", action,',
      },
    ],
  },
  {
    name: 'the newest entries are left out of the audit trail',
    replacements: [
      {
        file: 'functions/domain/administration/audit-chain.ts',
        from: 'const due = waiting.slice(0, most);',
        to: 'const due = waiting.slice(0, -1);',
      },
    ],
  },
  {
    name: 'TrackBox is told n/a of what is not known',
    replacements: [
      {
        file: 'functions/channels/values.ts',
        from: `person[name] ?? ''`,
        to: `person[name] ?? 'n/a'`,
      },
    ],
  },
];

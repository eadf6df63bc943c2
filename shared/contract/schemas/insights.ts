import * as z from 'zod/mini';
import * as field from '#shared/contract/fields';
import { publishedWith } from '#shared/contract/published';
import { cursorRefusals, namedTwice } from '#shared/contract/refusals';
import { buyerRow } from '#shared/contract/rows/buyer';
import { leadRow } from '#shared/contract/rows/lead-person';
import { pendingLead } from '#shared/contract/rows/pending-lead';
import { pushoverCredential } from '#shared/contract/rows/pushover-credential';
import { statementRow } from '#shared/contract/rows/statement';
import {
  AUDITED,
  BUYER_TYPES,
  CHECK_ACTIONS,
  CHECK_STATES,
  CHECKS,
  CLAIM_STATUSES,
  DELIVERY_STATUSES,
  EXPORT_FORMATS,
  LATENCY_RANGE_DAYS,
  LEAD_EVENTS,
  LEAD_ROW_STATUSES,
  LEAD_TYPES,
  PENDING_REASONS,
  TIME_RANGE_DAYS,
} from '#shared/rules/constants';

const dashboardStats = z.object({
  ineligible_leads_count: z.number(),
  active_orders_count: z.number(),
  active_orders_delivered: z.number(),
  active_orders_limit: z.number(),
  pending_reclamations_count: z.number(),
  total_pending_reimbursements: z.number(),
  orders_with_pending_reimbursements: z.number(),
  /** Euro; missing while no order has a price. */
  total_revenue: z.optional(z.number()),
  failed_deliveries_count: z.number(),
  first_lead_delivered: z.boolean(),
});

const buyerStatsRow = z.object({
  buyer_id: z.string(),
  buyer_name: z.string(),
  total_leads_received: z.number(),
  original_leads_received: z.number(),
  reimbursement_leads_received: z.number(),
  active_orders: z.number(),
  completed_orders: z.number(),
  pending_reimbursements: z.number(),
  total_claims: z.number(),
  approved_claims: z.number(),
  rejected_claims: z.number(),
  pending_claims: z.number(),
  /** Percent of the decided claims; null before the first decision. */
  claim_approval_rate: z.nullable(z.number()),
  current_probability: z.number(),
  buyer_type: z.enum(BUYER_TYPES),
  price_per_lead: z.nullable(z.number()),
  total_revenue: z.nullable(z.number()),
  active: z.union([z.literal(0), z.literal(1)]),
  /** For the chosen period, in leads: due by the buyer's share, assigned by the share rule, and the difference. */
  share_wanted: z.number(),
  share_got: z.number(),
  share_distance: z.number(),
  /** For the chosen period. */
  missed_limit_reached: z.number(),
  missed_below_minimum: z.number(),
  /** For the maximum amount, the terms or the sources that it wants. */
  missed_outside_criteria: z.number(),
  missed_without_consent: z.number(),
  missed_outside_schedule: z.number(),
  missed_cap_reached: z.number(),
  /** Leads that its partner refused and that were distributed again. */
  refused: z.number(),
});
export type BuyerStatsRow = z.output<typeof buyerStatsRow>;

const timeSeriesRow = z.object({
  date: z.string(),
  leads_received: z.number(),
  original_leads: z.number(),
  reimbursement_leads: z.number(),
});

const simulated = z.object({
  buyer_id: z.string(),
  got: z.number(),
  would_have_received: z.number(),
  claims: z.number(),
  /** Expected, like the revenue, by its leads that still fit. */
  simulated_claims: z.number(),
  revenue: z.number(),
  simulated_revenue: z.number(),
});

/** Both Berlin days are included. */
const rangeTotals = z.object({
  from: z.string(),
  to: z.string(),
  leads_received: z.number(),
  original_leads: z.number(),
  reimbursement_leads: z.number(),
  revenue: z.number(),
  claims: z.number(),
});

const day = field.filter(
  z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'Not a day')),
);

const rangeQuery = z.object({
  time_range: z._default(
    field
      .integer(1, 365)
      .check(z.refine((days) => TIME_RANGE_DAYS.some((range) => range === days), 'Must be 7, 30, 90 or 365'))
      .register(publishedWith, { enum: [...TIME_RANGE_DAYS] }),
    30,
  ),
  from: day,
  to: day,
});
const statisticsQuery = z.object({ ...rangeQuery.shape, buyer_id: field.filter(field.buyerId) });

const month = field.filter(z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Not a month')));

const auditEntry = z.object({
  at: z.string(),
  who: z.string(),
  action: z.string(),
  entity: z.string(),
  entity_id: z.string(),
  changes: z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })),
});
export type AuditEntry = z.output<typeof auditEntry>;

const ofSourceAndBuyer = {
  assigned: z.int(),
  claimed: z.int(),
  approved: z.int(),
  reached: z.int(),
  not_reached: z.int(),
  closed: z.int(),
  /** Percent of the assigned leads. */
  claim_rate: z.nullable(z.number()),
};

const margin = {
  /** Euro, of the original leads. */
  revenue: z.number(),
  /** Original leads without a price, which the revenue excludes. */
  unpriced: z.int(),
  /** Accepted leads whose cost is unknown. */
  uncosted: z.int(),
  /** Euro; null if the cost of any lead is unknown. */
  cost: z.nullable(z.number()),
  /** Revenue minus cost. */
  margin: z.nullable(z.number()),
  /** Percent of the revenue; null also without revenue. */
  margin_percent: z.nullable(z.number()),
};

/** By the day of intake, with the current outcome. */
const sourceStatsRow = z.object({
  source_id: z.int(),
  name: z.string(),
  src: z.string(),
  accepted: z.int(),
  duplicate: z.int(),
  invalid: z.int(),
  waiting: z.int(),
  ...ofSourceAndBuyer,
  ...margin,
  /** Of the period, by month of intake; those without a lead are missing. */
  months: z.array(
    z.object({ month: z.string(), accepted: z.int(), assigned: z.int(), approved: z.int(), ...margin }),
  ),
  buyers: z.array(z.object({ buyer_id: z.string(), ...ofSourceAndBuyer })),
});

const quantiles = {
  /** Milliseconds. */
  p50: z.int(),
  p95: z.int(),
  p99: z.int(),
};
const latencyStep = z.string();
const latencyRangeDays = z.union(LATENCY_RANGE_DAYS.map((days) => z.literal(days)));

const dayRefusals = {
  no_such_day: 'a day does not exist',
  days_reversed: 'the first day is after the last one',
  too_many_days: 'the period is longer than two years',
};

const leadListQuery = {
  from: day,
  to: day,
  by: z._default(
    z
      .enum(LEAD_EVENTS)
      .register(publishedWith, { description: 'What happened in the period, and with the buyer' }),
    'received',
  ),
  source: field.filter(
    field.integer(0, 999_999_999).register(publishedWith, { description: '0: leads without a source' }),
  ),
  buyer_id: field.filter(field.buyerId),
  order_id: field.filter(field.wholeNumberId),
  /** `accepted`: all but the refused ones. */
  status: field.filter(z.enum([...LEAD_ROW_STATUSES, 'accepted'])),
  lead_type: field.filter(z.enum(LEAD_TYPES)),
  amount_from: field.filter(field.euro()),
  amount_to: field.filter(field.euro()),
  claim: field.filter(z.enum([...CLAIM_STATUSES, 'any', 'none'])),
  /** Whether the person consents to calls. */
  consent: field.filter(z.enum(['yes', 'no'])),
  delivery: field.filter(z.enum(DELIVERY_STATUSES)),
  sort: z._default(z.enum(['time', 'amount']), 'time'),
  direction: z._default(z.enum(['desc', 'asc']), 'desc'),
  cursor: field.cursor,
};

const listedLead = {
  lead_id: z.string(),
  /** Null unless assigned. */
  display_id: z.nullable(z.string()),
  received_at: z.string(),
  assigned_at: z.nullable(z.string()),
  status: z.enum(LEAD_ROW_STATUSES),
  /** Why it is pending. */
  reason: z.nullable(z.enum(PENDING_REASONS)),
  source: z.nullable(z.object({ source_id: z.int(), name: z.string() })),
  buyer_id: z.nullable(z.string()),
  order_id: z.nullable(z.number()),
  lead_type: z.nullable(z.enum(LEAD_TYPES)),
  /** The worst state of its deliveries; null without one. */
  delivery: z.nullable(z.enum(DELIVERY_STATUSES)),
  claim_status: z.nullable(z.enum(CLAIM_STATUSES)),
  /** Whether the person consents to calls. */
  consent: z.boolean(),
};
const listedPerson = z.pick(z.object(leadRow), {
  vorname: true,
  nachname: true,
  anlagebetrag: true,
  laufzeit: true,
});
const listedLeads = {
  next_cursor: z.nullable(z.string()),
  /** Null unless requested with `count`, or if there are too many to count. */
  total: z.nullable(z.int()),
  /** Later changes may be missing. */
  as_of: z.string(),
};
const leadListRefusals = {
  ...dayRefusals,
  ...cursorRefusals,
  too_many_leads: 'the period has too many leads to sort them by amount',
  too_many_deliveries: 'too many deliveries are open to filter by their state',
};

export const insightSchemas = {
  listLeads: {
    summary: 'List all leads, filtered and sorted',
    refusals: leadListRefusals,

    query: z.object({
      ...leadListQuery,
      limit: z._default(field.integer(1, 200), 50),
      /** Also the number of leads of the whole list. */
      count: field.filter(z.enum(['yes'])),
    }),
    answer: z.object({ leads: z.array(z.extend(listedPerson, listedLead)), ...listedLeads }),
  },
  exportLeadRows: {
    summary: 'Read all fields of the filtered leads, for a file',
    refusals: leadListRefusals,

    query: z.object({
      ...leadListQuery,
      limit: z._default(field.integer(1, 500), 500),
      count: field.filter(z.enum(['yes'])),
    }),
    answer: z.object({ leads: z.array(z.object({ ...leadRow, ...listedLead })), ...listedLeads }),
  },
  getLatencies: {
    summary: 'Read delivery times from intake to assignment and delivery for a period',
    refusals: dayRefusals,

    query: rangeQuery,
    answer: z.object({
      from: z.string(),
      to: z.string(),
      error_percent: z.number(),
      /** Steps that a lead took. */
      series: z.array(z.object({ step: latencyStep, leads: z.int(), ...quantiles })),
    }),
  },
  exportLatencies: {
    summary: 'Download delivery times in milliseconds',
    refusals: dayRefusals,

    params: z.object({ format: z.enum(EXPORT_FORMATS) }),
    query: rangeQuery,
    answer: 'file',
  },
  getStatus: {
    summary: 'Read the public delivery times, if the status page is on',

    answer: z.object({
      public: z.boolean(),
      error_percent: z.number(),
      ranges: z.array(
        z.object({
          days: latencyRangeDays,
          series: z.array(z.object({ step: latencyStep, ...quantiles })),
        }),
      ),
    }),
  },
  /** Newest first, at most 400; proofs are also checked against them offline. */
  listConsentCheckpoints: {
    summary: 'Read the checkpoints and keys that proofs of consent are checked against',

    query: z.object({
      /** A link's number, for older ones. */
      before: z.optional(field.integer(1, Number.MAX_SAFE_INTEGER)),
    }),
    answer: z.object({
      /** The current one first. */
      keys: z.array(z.string()),
      checkpoints: z.array(z.object({ link: z.int(), hash: z.string(), sealed_at: z.string() })),
    }),
  },
  getSourceStats: {
    summary: 'Read intake and outcomes per source for a period',
    refusals: dayRefusals,

    query: rangeQuery,
    answer: z.object({ from: z.string(), to: z.string(), sources: z.array(sourceStatsRow) }),
  },
  listSilentSources: {
    summary: 'List live sources that stopped sending',

    answer: z.array(
      z.object({
        source_id: z.int(),
        name: z.string(),
        /** When its last lead came, in Berlin time. */
        last_day: z.string(),
        last_hour: z.int(),
        /** Leads that usually arrive in this time. */
        usual: z.int(),
      }),
    ),
  },
  getDashboardStats: {
    summary: 'Read the figures of the dashboard',
    answer: dashboardStats,
  },
  getDashboardInitialData: {
    summary: 'Read all data for the first view of the dashboard',

    answer: z.object({
      buyers: z.array(buyerRow),
      buyer_balances: z.record(z.string(), z.number()),
      ineligible_leads: z.array(pendingLead),
      pushover_creds: z.array(pushoverCredential),
      stats: dashboardStats,
    }),
  },
  getBuyerStats: {
    summary: 'Read buyer statistics for a period',
    refusals: dayRefusals,

    query: z.object({
      ...statisticsQuery.shape,
      compare: field.filter(z.enum(['previous'])),
    }),
    answer: z.object({
      buyer_stats: z.array(buyerStatsRow),
      time_series: z.array(timeSeriesRow),
      totals: rangeTotals,
      previous: z.optional(rangeTotals),
    }),
  },
  exportBuyerStats: {
    summary: 'Download the table of buyer statistics',
    refusals: dayRefusals,

    params: z.object({ format: z.enum(EXPORT_FORMATS) }),
    query: statisticsQuery,
    answer: 'file',
  },
  exportAccounting: {
    summary: 'Download the billing figures by month and buyer, and the margins of sources',
    refusals: { months_reversed: 'the first month is after the last one' },

    params: z.object({ format: z.enum(EXPORT_FORMATS) }),
    query: z.object({
      from: month,
      to: month,
      of: z._default(
        z.enum(['buyers', 'sources']).register(publishedWith, {
          description: 'For CSV, which has one table; XLSX has a sheet for each',
        }),
        'buyers',
      ),
    }),
    answer: 'file',
  },
  getChecklist: {
    summary: 'Explain why a buyer gets no leads',

    params: z.object({ buyerId: field.buyerId }),
    answer: z.object({
      summary: z.string(),
      checks: z.array(
        z.object({
          check: z.enum(CHECKS),
          state: z.enum(CHECK_STATES),
          text: z.string(),
          action: z.nullable(z.enum(CHECK_ACTIONS)),
          /** Terms for `POST /api/admin/simulate` that would help. */
          what_if: z.nullable(
            z.object({
              probability: z.optional(z.number()),
              min_investment: z.optional(z.number()),
              max_investment: z.optional(z.null()),
              min_term: z.optional(z.null()),
              max_term: z.optional(z.null()),
              lead_limit: z.optional(z.number()),
            }),
          ),
        }),
      ),
    }),
  },
  simulate: {
    summary: 'Simulate the distribution of past leads with other settings',
    refusals: {
      ...namedTwice,
      too_many_leads: 'the period contains too many leads',
    },

    body: z.object({
      days: field.integer(1, 365),
      buyers: z
        .array(
          z.object({
            buyer_id: field.buyerId,
            probability: z.optional(field.percent),
            min_investment: z.optional(field.euro()),
            /** Null: any. */
            max_investment: z.optional(z.union([field.euro(), z.null()])),
            min_term: z.optional(z.union([field.months, z.null()])),
            max_term: z.optional(z.union([field.months, z.null()])),
            sources_allowed: z.optional(field.sourceNumbers),
            sources_excluded: z.optional(field.sourceNumbers),
            lead_limit: z.optional(field.integer(0, 1_000_000)),
            requires_consent: z.optional(field.flag),
          }),
        )
        .check(z.maxLength(1000))
        .register(publishedWith, { description: 'Each buyer once' }),
    }),
    answer: z.object({
      leads: z.number(),
      unassigned_before: z.number(),
      unassigned_after: z.number(),
      buyers: z.array(simulated),
    }),
  },
  listAudit: {
    summary: 'List changes by admins, newest first',
    refusals: { ...cursorRefusals, entity_required: '`entity_id` was sent without `entity`' },

    query: z.object({
      kind: z._default(
        z.enum(['changes', 'accesses']).register(publishedWith, {
          description: 'Changes, or accesses to leads, exports and buyer links (each once a day)',
        }),
        'changes',
      ),
      entity: z.optional(z.enum(AUDITED)),
      entity_id: z.optional(
        z
          .string()
          .check(z.maxLength(100))
          .register(publishedWith, { description: 'Only together with `entity`' }),
      ),
      limit: z._default(field.integer(1, 200), 50),
      cursor: field.cursor,
    }),
    answer: z.object({ entries: z.array(auditEntry), next_cursor: z.nullable(z.string()) }),
  },
  search: {
    summary: 'Search buyers, orders and leads',

    query: z.object({ q: field.line(100) }),
    answer: z.object({
      results: z.array(
        z.object({
          kind: z.enum(['buyer', 'order', 'lead']),
          id: z.string(),
          /** The buyer, or the buyer of the order; null for a lead. */
          buyer_id: z.nullable(z.string()),
          title: z.string(),
          subtitle: z.string(),
        }),
      ),
    }),
  },
  getStatement: {
    summary: 'Read the buyer’s statement by order and month',
    params: z.object({ buyerId: field.buyerId }),
    answer: statementRow,
  },
  downloadStatement: {
    summary: 'Download the buyer’s statement',

    params: z.object({ buyerId: field.buyerId, format: z.enum(EXPORT_FORMATS) }),
    answer: 'file',
  },
} as const;
